import type { Ports } from "@parley/domain"
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
 * The endpoints of the contract, each put together once. What comes for one of them does not pass the framework's router and
 * `HttpApiBuilder`, which copy all services of the server twice for each request.
 */
export class CompiledRoutes extends Context.Service<
  CompiledRoutes,
  {
    /** Answers what is for one of these endpoints, and leaves everything else to the app. */
    readonly before: (app: App) => App<Ports>
    /** Which endpoints these are. */
    readonly names: ReadonlySet<string>
  }
>()("@parley/http-adapter/CompiledRoutes") {}

const compile = (context: Context.Context<never>, handled: HandledEndpoint): Compiled | null => {
  const { endpoint, group } = handled
  const answering = compileEndpoint(context, handled)
  if (answering === null) return null
  return {
    name: `${group.identifier}.${endpoint.identifier}`,
    // Nothing it fails with is left, and what it needs of the request is put there for it.
    answering: answering as Effect.Effect<HttpServerResponse.HttpServerResponse, never, never>,
    route: HttpRouter.route(endpoint.method, endpoint.path as HttpRouter.PathInput, answering),
    readsPayload: readsPayload(handled)
  }
}

/** A body of another type is refused by the framework. */
const takes = ({ readsPayload }: Compiled, { headers }: HttpServerRequest.HttpServerRequest) => {
  if (!readsPayload) return true
  const type = headers["content-type"]
  return type === undefined || type === "application/json"
}

/** Those who trace see the same of a request as from the framework. */
const noteRoute = (context: Context.Context<never>, path: string) => {
  const span = Context.getOrUndefined(context, Tracer.ParentSpan)
  if (span?._tag === "Span" && span.sampled) span.attribute("http.route", path)
}

const make = (context: Context.Context<never>): CompiledRoutes["Service"] => {
  // With those that are not compiled: which route a path belongs to depends on all of them.
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
        // As the framework's router does: the enclosing request puts back what there was.
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

/** The routes of all endpoints whose handlers and middlewares are there; none where the framework is to do everything. */
export const layer = Layer.effect(
  CompiledRoutes,
  Effect.gen(function* () {
    const { compiles = true } = yield* ServerConfig
    return compiles ? make(yield* Effect.context<never>()) : { before: (app) => app, names: new Set<string>() }
  })
)
