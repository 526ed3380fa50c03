import type { Ports } from "@parley/domain"
import { platform } from "node:os"
import { NodeHttpServer } from "@effect/platform-node"
import { ByteSize, Layer } from "effect"
import { HttpIncomingMessage, HttpRouter, type HttpServer, HttpServerResponse, type HttpServerError } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import * as Admission from "./Admission.ts"
import * as BacklogGauges from "./BacklogGauges.ts"
import * as Docs from "./docs/index.ts"
import * as Drain from "./Drain.ts"
import * as Edge from "./Edge.ts"
import * as Account from "./handlers/account.ts"
import * as Audit from "./handlers/audit.ts"
import * as Automations from "./handlers/automations.ts"
import * as Schedules from "./handlers/schedules.ts"
import * as Broadcasts from "./handlers/broadcasts.ts"
import * as Analytics from "./handlers/analytics.ts"
import * as Commerce from "./handlers/commerce.ts"
import * as PluginCalls from "./handlers/pluginCalls.ts"
import * as Plugins from "./handlers/plugins.ts"
import * as PrivacyRequests from "./handlers/privacyRequests.ts"
import * as StoreConnections from "./handlers/storeConnections.ts"
import * as StoreWebhooks from "./handlers/storeWebhooks.ts"
import * as WebhookSubscriptions from "./handlers/webhookSubscriptions.ts"
import * as Workflows from "./handlers/workflows.ts"
import * as CannedReplies from "./handlers/cannedReplies.ts"
import * as ChatAccounts from "./handlers/chatAccounts.ts"
import * as ChatWebhooks from "./handlers/chatWebhooks.ts"
import * as ContactFields from "./handlers/contactFields.ts"
import * as Contacts from "./handlers/contacts.ts"
import * as ContactTransfer from "./handlers/contactTransfer.ts"
import * as Conversations from "./handlers/conversations.ts"
import * as DocsHandoff from "./handlers/docs.ts"
import * as Events from "./handlers/events.ts"
import * as Identity from "./handlers/identity.ts"
import * as Jobs from "./handlers/jobs.ts"
import * as Media from "./handlers/media.ts"
import * as Members from "./handlers/members.ts"
import * as Messages from "./handlers/messages.ts"
import * as MessageTemplates from "./handlers/messageTemplates.ts"
import * as Notes from "./handlers/notes.ts"
import * as Operations from "./handlers/operations.ts"
import * as Organization from "./handlers/organization.ts"
import * as Segments from "./handlers/segments.ts"
import * as Sessions from "./handlers/sessions.ts"
import * as Tags from "./handlers/tags.ts"
import * as Tokens from "./handlers/tokens.ts"
import * as CompiledRoutes from "./compiled/CompiledRoutes.ts"
import * as Idempotency from "./Idempotency.ts"
import * as Metrics from "./Metrics.ts"
import { forwardedAddress, subscriberOf } from "./addressOf.ts"
import { makeListener } from "./listener.ts"
import type { UploadSettings } from "./uploadRate.ts"
import * as OpenApi from "./OpenApi.ts"
import * as OpenStreams from "./OpenStreams.ts"
import * as RateLimiter from "./RateLimiter.ts"
import * as RequestFaults from "./RequestFaults.ts"
import * as StorageFaults from "./StorageFaults.ts"
import { routing } from "./routing.ts"
import { ServerConfig, type ServerSettings } from "./ServerConfig.ts"
import { layerServing } from "./servingContext.ts"

const handlers = Layer.mergeAll(
  Sessions.layer,
  Account.layer,
  Identity.layer,
  Tokens.layer,
  Organization.layer,
  Members.layer,
  Contacts.layer,
  ContactTransfer.layer.pipe(Layer.provide(Idempotency.layerRepetition)),
  Tags.layer,
  ContactFields.layer,
  Segments.layer,
  ChatAccounts.layer,
  MessageTemplates.layer,
  Conversations.layer,
  Messages.layer,
  Notes.layer,
  CannedReplies.layer,
  Media.layer.pipe(Layer.provide(Idempotency.layerRepetition)),
  Broadcasts.layer,
  StoreConnections.layer,
  PrivacyRequests.layer,
  Commerce.layer,
  Analytics.layer,
  Schedules.layer,
  Automations.layer,
  Workflows.layer,
  Jobs.layer,
  Events.layer,
  Audit.layer,
  DocsHandoff.layer,
  ChatWebhooks.layer,
  StoreWebhooks.layer,
  WebhookSubscriptions.layer,
  Plugins.layer,
  PluginCalls.layer,
  Operations.layer
)

const middlewares = Layer.mergeAll(
  Admission.layer.pipe(Layer.provide(RateLimiter.layer)),
  RequestFaults.layer,
  StorageFaults.layer,
  Idempotency.layer
)

/** The endpoints that do not go through the framework's builder. */
export const compiledRoutes = CompiledRoutes.layer.pipe(Layer.provide(handlers), Layer.provide(middlewares))

const api = Layer.mergeAll(
  HttpApiBuilder.layer(Api).pipe(Layer.provide(handlers), Layer.provide(middlewares)),
  OpenApi.layer,
  Edge.layer.pipe(Layer.provide(compiledRoutes))
)

const home = HttpRouter.add("GET", "/", HttpServerResponse.redirect("/docs"))

const everything = Layer.mergeAll(api, Docs.layer, home)

/** The API alone, without the documentation site. */
export const apiRoutes = Layer.merge(api, Metrics.routeOf()).pipe(Layer.provide(OpenStreams.layer))

/** Every route of the service, for whatever HTTP server carries them. */
export const routes = Layer.merge(everything, Metrics.routeOf()).pipe(Layer.provide(OpenStreams.layer))

export { routing }

const served = ({ metrics, metricsAt = null, metricsToken = null }: ServerSettings) =>
  metricsAt === null ? Layer.merge(everything, Metrics.routeOf(metrics, metricsToken)) : everything

const metricsApart = ({ metricsAt = null, metricsToken = null }: ServerSettings) =>
  metricsAt === null || metricsAt === "elsewhere" ? Layer.empty : Metrics.layerAt(metricsAt, metricsToken)

/** Where the system lets several processes listen on one port, it spreads the connections among them. */
const spreadsByItself: ReadonlySet<string> = new Set(["linux", "freebsd", "dragonfly", "sunos", "aix"])

/** The API on an HTTP server of its own. The ports are what it runs on; what is done in the background is up to `layerWorkers`. */
export const layer = (
  settings: ServerSettings
): Layer.Layer<HttpServer.HttpServer, HttpServerError.ServeError, Ports> =>
  Layer.suspend(() => layerServing(serving(settings, { isDraining: false })))

/** Slow uploads are counted by the client address in front of the trusted proxies. */
const uploadsOf = ({ trustedProxyHops, uploads = {} }: ServerSettings): Partial<UploadSettings> => ({
  addressOf: ({ headers, socket }) => {
    const forwarded = [headers["x-forwarded-for"] ?? []].flat().join(",")
    return subscriberOf(
      forwardedAddress(trustedProxyHops, forwarded === "" ? undefined : forwarded) ?? socket.remoteAddress ?? ""
    )
  },
  ...uploads
})

const serving = (settings: ServerSettings, drain: { isDraining: boolean }) =>
  Drain.layerBeforeEnd.pipe(
    Layer.provideMerge(Layer.merge(OpenStreams.layerEnding, metricsApart(settings))),
    Layer.provideMerge(
      HttpRouter.serve(Layer.merge(served(settings), BacklogGauges.layer), {
        routerConfig: routing,
        disableLogger: true,
        disableListenLog: true
      })
    ),
    Layer.provide(OpenStreams.layer),
    Layer.provideMerge(
      NodeHttpServer.layer(() => makeListener(settings.arrivalMillis, drain, uploadsOf(settings)), {
        host: settings.host,
        port: settings.port,
        reusePort: settings.sharesPort === true && spreadsByItself.has(platform())
      })
    ),
    Layer.provide(Layer.succeed(Drain.Drain, drain)),
    Layer.provide(Layer.succeed(ServerConfig, settings)),
    Layer.provide(Layer.succeed(HttpIncomingMessage.MaxBodySize, ByteSize.fromInputUnsafe(settings.maxBodyBytes)))
  )
