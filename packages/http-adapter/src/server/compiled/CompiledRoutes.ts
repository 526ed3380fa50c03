import type { Ports } from "@parley/domain/composition"
import { Context, Effect, Layer, Tracer } from "effect"
import type { unhandled } from "effect/Types"
import { FindMyWay, HttpRouter, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { routing, ServerConfig } from "../ServerConfig.ts"
import { compileEndpoint, type HandledEndpoint, handledEndpoints, readsPayload } from "./compileEndpoint.ts"

type App<R = never> = Effect.Effect<HttpServerResponse.HttpServerResponse, unhandled, R>

interface Compiled {
  readonly name: string
  readonly answering: App<Ports>
  readonly route: HttpRouter.Route<unknown, unknown>
  readonly readsPayload: boolean
}

/**
 * Endpoints of the contract, each compiled once. Their requests bypass the router of the framework and `HttpApiBuilder`, which copy all services of
 * the server twice per request.
 */
export class CompiledRoutes extends Context.Service<
  CompiledRoutes,
  {
    /** Answers requests for these endpoints, and passes all others to the app. */
    readonly before: (app: App) => App<Ports>
    /** Names of the compiled endpoints. */
    readonly names: ReadonlySet<string>
  }
>()("@parley/http-adapter/CompiledRoutes") {}

const compile = (context: Context.Context<never>, handled: HandledEndpoint): Compiled | null => {
  const { endpoint, group } = handled
  const answering = compileEndpoint(context, handled)
  if (answering === null) return null
  return {
    name: `${group.identifier}.${endpoint.identifier}`,
    // All failures are handled, and the router provides the services of the request.
    answering: answering as Effect.Effect<HttpServerResponse.HttpServerResponse, never, never>,
    route: HttpRouter.route(endpoint.method, endpoint.path as HttpRouter.PathInput, answering),
    readsPayload: readsPayload(handled)
  }
}

/** Whether the compiled endpoint accepts the body type. The framework rejects other types. */
const takes = ({ readsPayload }: Compiled, { headers }: HttpServerRequest.HttpServerRequest) => {
  if (!readsPayload) return true
  const type = headers["content-type"]
  return type === undefined || type === "application/json"
}

/** Records the same trace data as the framework. */
const noteRoute = (context: Context.Context<never>, path: string) => {
  const span = Context.getOrUndefined(context, Tracer.ParentSpan)
  if (span?._tag === "Span" && span.sampled) span.attribute("http.route", path)
}

const make = (context: Context.Context<never>): CompiledRoutes["Service"] => {
  // Includes endpoints that are not compiled, because the match of a path depends on all routes.
  const table = FindMyWay.make<Compiled | null>(routing)
  const names = new Set<string>()
  for (const handled of handledEndpoints(context)) {
    const compiled = compile(context, handled)
    if (compiled !== null) names.add(compiled.name)
    table.on(handled.endpoint.method, handled.endpoint.path as HttpRouter.PathInput, compiled)
  }
  return {
    names,
    before: (app) =>
      Effect.withFiber((fiber) => {
        const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
        const found = table.find(request.method, request.url)
        if (!found?.handler || !takes(found.handler, request)) return app
        const { answering, route } = found.handler
        if (fiber.getRef(Tracer.Tracer) !== Tracer.nativeTracer) noteRoute(fiber.context, route.path)
        // Same as in the router of the framework: the enclosing request restores the earlier context.
        fiber.setContext(
          fiber.context.pipe(
            Context.add(HttpServerRequest.ParsedSearchParams, found.searchParams),
            Context.add(HttpRouter.RouteContext, { route, params: found.params })
          )
        )
        return answering
      })
  }
}

/** Routes of all endpoints with available handlers and middlewares. Empty if the framework answers everything. */
export const layer = Layer.effect(
  CompiledRoutes,
  Effect.gen(function* () {
    const { compiles = true } = yield* ServerConfig
    return compiles ? make(yield* Effect.context<never>()) : { before: (app) => app, names: new Set<string>() }
  })
)
