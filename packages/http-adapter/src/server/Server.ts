import type { Ports } from "@parley/domain"
import { NodeHttpServer } from "@effect/platform-node"
import { ByteSize, Layer } from "effect"
import { HttpIncomingMessage, HttpRouter, type HttpServer, HttpServerResponse, type HttpServerError } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { PrometheusMetrics } from "effect/observability"
import { Api } from "../api/Api.ts"
import * as Admission from "./Admission.ts"
import * as Docs from "./docs/index.ts"
import * as Edge from "./Edge.ts"
import * as Account from "./handlers/account.ts"
import * as Audit from "./handlers/audit.ts"
import * as Automations from "./handlers/automations.ts"
import * as DocsHandoff from "./handlers/docs.ts"
import * as Events from "./handlers/events.ts"
import * as Identity from "./handlers/identity.ts"
import * as Members from "./handlers/members.ts"
import * as Operations from "./handlers/operations.ts"
import * as Organization from "./handlers/organization.ts"
import * as Sessions from "./handlers/sessions.ts"
import * as Tokens from "./handlers/tokens.ts"
import * as Housekeeping from "./Housekeeping.ts"
import * as Idempotency from "./Idempotency.ts"
import { makeListener } from "./listener.ts"
import * as OpenApi from "./OpenApi.ts"
import * as RateLimiter from "./RateLimiter.ts"
import * as RequestFaults from "./RequestFaults.ts"
import { ServerConfig, type ServerSettings } from "./ServerConfig.ts"

const handlers = Layer.mergeAll(
  Sessions.layer,
  Account.layer,
  Identity.layer,
  Tokens.layer,
  Organization.layer,
  Members.layer,
  Automations.layer,
  Events.layer,
  Audit.layer,
  DocsHandoff.layer,
  Operations.layer
)

const middlewares = Layer.mergeAll(
  Admission.layer.pipe(Layer.provide(RateLimiter.layer)),
  RequestFaults.layer,
  Idempotency.layer
)

/** The API alone, without the documentation site. */
export const apiRoutes = Layer.mergeAll(
  HttpApiBuilder.layer(Api).pipe(Layer.provide(handlers), Layer.provide(middlewares)),
  OpenApi.layer,
  PrometheusMetrics.layerHttp(),
  Edge.layer
)

const home = HttpRouter.add("GET", "/", HttpServerResponse.redirect("/docs"))

/** Every route of the service, for whatever HTTP server carries them. */
export const routes = Layer.mergeAll(apiRoutes, Docs.layer, home)

/** A path is spelled in one way only, so that whatever stands in front of the service reads it as the service does. */
export const routing = { caseSensitive: true, ignoreDuplicateSlashes: false } as const

/** The service on an HTTP server of its own. The ports are what it runs on. */
export const layer = (
  settings: ServerSettings
): Layer.Layer<HttpServer.HttpServer, HttpServerError.ServeError, Ports> =>
  HttpRouter.serve(Layer.merge(routes, Housekeeping.layer), {
    routerConfig: routing,
    disableLogger: true,
    disableListenLog: true
  }).pipe(
    Layer.provideMerge(
      NodeHttpServer.layer(() => makeListener(settings.arrivalMillis), { host: settings.host, port: settings.port })
    ),
    Layer.provide(Layer.succeed(ServerConfig, settings)),
    Layer.provide(Layer.succeed(HttpIncomingMessage.MaxBodySize, ByteSize.fromInputUnsafe(settings.maxBodyBytes)))
  )
