import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import type { Ports } from "@parley/domain/composition"
import { ByteSize, Context, Effect, Layer, References, type Scope, Tracer } from "effect"
import { HttpIncomingMessage, HttpRouter, type HttpServer, type HttpServerError, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { platform } from "node:os"
import { Api, operatorContract } from "../api/Api.ts"
import * as Admission from "./Admission.ts"
import * as BacklogGauges from "./BacklogGauges.ts"
import * as Edge from "./Edge.ts"
import * as Idempotency from "./Idempotency.ts"
import * as Metrics from "./Metrics.ts"
import * as OpenStreams from "./OpenStreams.ts"
import * as RateLimiter from "./RateLimiter.ts"
import * as RequestFaults from "./RequestFaults.ts"
import { Drain, layerBeforeEnd, routing, ServerConfig, type ServerSettings } from "./ServerConfig.ts"
import * as StorageFaults from "./StorageFaults.ts"
import { layerHandlers, layerOperatorHandlers } from "./bindings/index.ts"
import { forwardedAddress, subscriberOf } from "./clientAddress.ts"
import * as CompiledRoutes from "./compiled/CompiledRoutes.ts"
import * as Docs from "./docs/index.ts"
import { makeListener } from "./listener.ts"
import { layerOpenApi } from "./openapi/route.ts"
import type { UploadSettings } from "./uploadRate.ts"

/** Maximum number of services that a request adds to the services of the server. */
const mostOfRequest = 32

/**
 * Builds a server whose requests do not copy the services of the server. A context copies them after every 8 additions. Requests create spans only
 * while tracing is on.
 */
const layerServing = <A, E, R>(server: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
  Layer.effectContext(
    Effect.updateContext(Layer.build(server), (context: Context.Context<R | Scope.Scope>) => {
      const services: Context.Context<R | Scope.Scope> = Context.makeUnsafe(context.mapUnsafe, {
        maxDepth: mostOfRequest
      })
      return Context.get(context, Tracer.Tracer) === Tracer.nativeTracer
        ? Context.add(services, References.TracerEnabled, false)
        : services
    })
  )

const handlers = layerHandlers.pipe(Layer.provide(Idempotency.layerRepetition))

const middlewares = Layer.mergeAll(
  Admission.layer.pipe(Layer.provide(RateLimiter.layer)),
  RequestFaults.layer,
  StorageFaults.layer,
  Idempotency.layer
)

/** Endpoints that bypass the builder of the framework. */
export const compiledRoutes = CompiledRoutes.layer.pipe(Layer.provide(handlers), Layer.provide(middlewares))

const api = Layer.mergeAll(
  HttpApiBuilder.layer(Api).pipe(Layer.provide(handlers), Layer.provide(middlewares)),
  layerOpenApi,
  Edge.layer.pipe(Layer.provide(compiledRoutes))
)

/** The part of the API for operator tokens. */
export const operatorRoutes = Layer.merge(
  HttpApiBuilder.layer(operatorContract).pipe(
    Layer.provide(layerOperatorHandlers.pipe(Layer.provide(Idempotency.layerRepetition))),
    Layer.provide(middlewares)
  ),
  Edge.layer.pipe(Layer.provide(CompiledRoutes.layer))
)

const home = HttpRouter.add("GET", "/", HttpServerResponse.redirect("/docs"))

const everything = Layer.mergeAll(api, Docs.layer, home)

/** API without the documentation site. */
export const apiRoutes = Layer.merge(api, Metrics.routeOf()).pipe(Layer.provide(OpenStreams.layer))

/** All routes of the service, for any HTTP server. */
export const routes = Layer.merge(everything, Metrics.routeOf()).pipe(Layer.provide(OpenStreams.layer))

export { routing }

const served = ({ metrics, metricsAt = null, metricsToken = null }: ServerSettings) =>
  metricsAt === null ? Layer.merge(everything, Metrics.routeOf(metrics, metricsToken)) : everything

const metricsApart = ({ metricsAt = null, metricsToken = null }: ServerSettings) =>
  metricsAt === null || metricsAt === "elsewhere" ? Layer.empty : Metrics.layerAt(metricsAt, metricsToken)

/** Systems that distribute connections among the processes that listen on one port. */
const spreadsByItself: ReadonlySet<string> = new Set(["linux", "freebsd", "dragonfly", "sunos", "aix"])

/** API on a dedicated HTTP server. Requires the ports. `layerWorkers` runs the background tasks. */
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

/** Separate server for operator tokens. Its layers are built again, because they have other settings. */
const operatorsApart = (settings: ServerSettings, drain: { isDraining: boolean }) => {
  const { operatorAt = null } = settings
  return operatorAt === null
    ? Layer.empty
    : Layer.fresh(
        HttpRouter.serve(operatorRoutes, { routerConfig: routing, disableLogger: true, disableListenLog: true }).pipe(
          Layer.provide(
            NodeHttpServer.layer(() => makeListener(settings.arrivalMillis, drain, uploadsOf(settings)), {
              ...operatorAt,
              reusePort: settings.sharesPort === true && spreadsByItself.has(platform())
            })
          ),
          // Otherwise the router would be the one of the common listener.
          Layer.provide(Layer.sync(Layer.CurrentMemoMap, () => Layer.makeMemoMapUnsafe())),
          Layer.provide(Layer.succeed(ServerConfig, { ...settings, operatorApi: "only", compiles: false })),
          Layer.provide(Layer.succeed(HttpIncomingMessage.MaxBodySize, ByteSize.fromInputUnsafe(settings.maxBodyBytes)))
        )
      )
}

const serving = (settings: ServerSettings, drain: { isDraining: boolean }) =>
  layerBeforeEnd.pipe(
    Layer.provideMerge(
      Layer.mergeAll(OpenStreams.layerEnding, metricsApart(settings), operatorsApart(settings, drain))
    ),
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
    Layer.provide(Layer.succeed(Drain, drain)),
    Layer.provide(Layer.succeed(ServerConfig, settings)),
    Layer.provide(Layer.succeed(HttpIncomingMessage.MaxBodySize, ByteSize.fromInputUnsafe(settings.maxBodyBytes)))
  )
