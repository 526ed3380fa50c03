import { CurrentRequest, Ids, findOutage, ValidationFailed } from "@parley/domain/kernel"
import type { Ports } from "@parley/domain/composition"
import { Cause, Clock, Context, Effect, Layer } from "effect"
import type { unhandled } from "effect/Types"
import { HttpMiddleware, HttpRouter, HttpServerError, HttpServerRequest, type HttpServerResponse } from "effect/http"
import { type HttpApi, HttpApi as Reflection, type HttpApiGroup } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { operatorPrefix } from "../api/operator.ts"
import { problemJson } from "../api/problem.ts"
import {
  InternalError,
  MethodNotAllowed,
  PathNotFound,
  PayloadTooLarge,
  UnsupportedMediaType
} from "../api/problems.ts"
import { countRequest, CurrentExchange, type Exchange, finishHeaders, makeExchange } from "./Exchange.ts"
import { ServerConfig, type ServerSettings } from "./ServerConfig.ts"
import { unavailableAs } from "./StorageFaults.ts"
import { behindProxies } from "./clientAddress.ts"
import { CompiledRoutes } from "./compiled/CompiledRoutes.ts"
import { faultOfPath, isPathDecodable } from "./faults.ts"
import { type Problem, renderProblem } from "./renderProblem.ts"

export interface KnownPaths {
  readonly methodsOf: (path: string) => ReadonlyArray<string>
  /** Media types of the request bodies that the path accepts. */
  readonly typesOf: (method: string, path: string) => ReadonlyArray<string>
}

const escape = (literal: string) => literal.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

const matcherOf = (path: string) =>
  new RegExp(
    `^${path
      .split("/")
      .map((part) => (part === "*" ? ".*" : part.startsWith(":") ? "[^/]+" : escape(part)))
      .join("/")}/?$`
  )

/** Whether the contract declares the path for operator tokens. */
const isForOperators = (path: string) => path.startsWith(`${operatorPrefix}/`)

/** Paths of the contract that the server answers, and additional paths that support only GET. */
const knownPaths = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  pages: ReadonlyArray<string>,
  answers: (path: string) => boolean = () => true
): KnownPaths => {
  const known: Array<{
    readonly method: string
    readonly matcher: RegExp
    readonly types: ReadonlyArray<string>
  }> = []
  Reflection.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      if (!answers(endpoint.path)) return
      known.push({
        method: endpoint.method,
        matcher: matcherOf(endpoint.path),
        types: Array.from(endpoint.payload.keys())
      })
    }
  })
  for (const page of pages) known.push({ method: "GET", matcher: matcherOf(page), types: [] })
  return {
    methodsOf: (path) => {
      const methods = new Set(known.filter(({ matcher }) => matcher.test(path)).map(({ method }) => method))
      if (methods.has("GET")) methods.add("HEAD")
      return Array.from(methods).toSorted()
    },
    typesOf: (asked, path) =>
      known.flatMap(({ matcher, method, types }) => (method === asked && matcher.test(path) ? types : []))
  }
}

type Response = HttpServerResponse.HttpServerResponse

const sane = /^[A-Za-z0-9._~:-]{8,128}$/

const pathOf = (url: string) => {
  const end = url.search(/[?#;]/)
  return end === -1 ? url : url.slice(0, end)
}

/** Removes personal data and tokens from a path, because log readers must not see them. */
const loggedPathOf = (url: string) =>
  pathOf(url)
    .replace(/(?<=\/contacts\/by-phone\/)[^/]+/u, ":phone")
    .replace(/(?<=\/automations\/[^/]+\/trigger\/)[^/]+/u, ":token")

const pages = [
  "/",
  "/openapi.json",
  "/docs",
  "/llms.txt",
  "/llms-full.txt",
  "/metrics",
  "/invitations/accept",
  "/password/reset"
]

/** Paths that exist for a server with this setting. */
const pathsFor: Readonly<Record<NonNullable<ServerSettings["operatorApi"]>, KnownPaths>> = {
  off: knownPaths(Api, pages, (path) => !isForOperators(path)),
  public: knownPaths(Api, pages),
  only: knownPaths(Api, [], isForOperators)
}

/** Handles an unmatched path that supports the method: such a path cannot be decoded. */
const unknownPath = ({ method, url }: HttpServerRequest.HttpServerRequest, paths: KnownPaths): Problem => {
  const path = pathOf(url)
  const allowed = paths.methodsOf(path)
  if (allowed.length === 0) return new PathNotFound()
  if (!allowed.includes(method)) return new MethodNotAllowed({ allowed })
  return isPathDecodable(path) ? new PathNotFound() : new ValidationFailed({ errors: [faultOfPath] })
}

const isRouteNotFound = (error: unknown) =>
  HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"

/** Converts a failure without a public form to a problem. The problem hides internal details. */
const problemOf = (
  cause: Cause.Cause<unknown>,
  request: HttpServerRequest.HttpServerRequest,
  paths: KnownPaths
): Problem => {
  if (isRouteNotFound(Cause.squash(cause))) return unknownPath(request, paths)
  const outage = findOutage(cause)
  return outage === null ? new InternalError() : unavailableAs(outage.outcome)
}

/** Whether the response is an HTML page, such as the page for missing paths. */
const isPage = ({ headers }: Response) => headers["content-type"]?.startsWith("text/html") === true

/** Converts bare failures of the framework to problems. */
const asProblem = (
  response: Response,
  request: HttpServerRequest.HttpServerRequest,
  maxBodyBytes: number,
  paths: KnownPaths
): Problem | null => {
  if (response.status < 400 || response.headers["content-type"] === problemJson) return null
  if (response.status === 413) return new PayloadTooLarge({ max: maxBodyBytes })
  if (response.status === 415) {
    return new UnsupportedMediaType({ accepted: paths.typesOf(request.method, pathOf(request.url)) })
  }
  if (response.status === 404) return isPage(response) ? null : new PathNotFound()
  return response.status >= 500 ? new InternalError() : null
}

const logFailure = (cause: Cause.Cause<unknown>, exchange: Exchange, request: HttpServerRequest.HttpServerRequest) =>
  Effect.logError("The request failed with an internal error", cause).pipe(
    Effect.annotateLogs({
      requestId: exchange.requestId,
      method: request.method,
      path: loggedPathOf(request.url),
      organizationId: exchange.organizationId,
      actor: exchange.actor
    })
  )

const logAccess = (exchange: Exchange, request: HttpServerRequest.HttpServerRequest, status: number, millis: number) =>
  Effect.annotateLogs(Effect.logInfo("request"), {
    requestId: exchange.requestId,
    method: request.method,
    path: loggedPathOf(request.url),
    status,
    millis,
    organizationId: exchange.organizationId,
    actor: exchange.actor
  })

/** Adds all request services to the context in one step. */
const carrying = (
  context: Context.Context<never>,
  given: HttpServerRequest.HttpServerRequest,
  request: HttpServerRequest.HttpServerRequest,
  exchange: Exchange
): Context.Context<never> => {
  const known = context.pipe(
    Context.add(CurrentRequest, { id: exchange.requestId }),
    Context.add(CurrentExchange, exchange)
  )
  return request === given ? known : Context.add(known, HttpServerRequest.HttpServerRequest, request)
}

const makeEdge = (settings: ServerSettings, ids: Ids["Service"], compiled: CompiledRoutes["Service"]) => {
  const finish = finishHeaders(settings.baseUrl.startsWith("https:"))
  const withCaller = behindProxies(settings.trustedProxyHops)
  const paths = pathsFor[settings.operatorApi ?? "off"]

  const failed = (
    cause: Cause.Cause<unhandled>,
    exchange: Exchange,
    request: HttpServerRequest.HttpServerRequest
  ): Effect.Effect<Response> => {
    const failure = problemOf(cause, request, paths)
    const rendered = renderProblem(failure)
    return failure._tag === "InternalError" ? Effect.andThen(logFailure(cause, exchange, request), rendered) : rendered
  }

  const answered = (
    app: Effect.Effect<Response, unhandled, Ports>,
    exchange: Exchange,
    request: HttpServerRequest.HttpServerRequest,
    clock: Clock.Clock
  ) => {
    const startedAt = clock.currentTimeMillisUnsafe()
    const end = (response: Response) => {
      const millis = clock.currentTimeMillisUnsafe() - startedAt
      const counted = countRequest(response.status, millis)
      return Effect.as(
        settings.accessLog ? Effect.andThen(counted, logAccess(exchange, request, response.status, millis)) : counted,
        finish(response, exchange)
      )
    }
    return Effect.matchCauseEffect(app, {
      onSuccess: (response) => {
        const bare = asProblem(response, request, settings.maxBodyBytes, paths)
        return bare === null ? end(response) : Effect.flatMap(renderProblem(bare), end)
      },
      onFailure: (cause) =>
        Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : Effect.flatMap(failed(cause, exchange, request), end)
    })
  }

  return (app: Effect.Effect<Response, unhandled>) => {
    const routed = compiled.before(app)
    return Effect.withFiber<Response, unhandled, Ports | HttpServerRequest.HttpServerRequest>((fiber) => {
      const given = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
      const request = withCaller(given)
      const begin = (requestId: string) => {
        const exchange = makeExchange(requestId)
        // These services do not leak: the framework restores the earlier context after the request.
        fiber.setContext(carrying(fiber.context, given, request, exchange))
        return answered(routed, exchange, request, fiber.getRef(Clock.Clock))
      }
      const wanted = request.headers["x-request-id"]
      return wanted !== undefined && sane.test(wanted) ? begin(wanted) : Effect.flatMap(ids.next, begin)
    })
  }
}

const exposedHeaders = [
  "X-Request-Id",
  "Idempotency-Replayed",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "WWW-Authenticate"
]

/** Outermost middleware. Every response passes it, including responses for failures. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const settings = yield* ServerConfig
    const edge = HttpRouter.middleware(makeEdge(settings, yield* Ids, yield* CompiledRoutes), { global: true })
    if (settings.corsOrigins.length === 0) return edge
    const cors = HttpMiddleware.cors({
      allowedOrigins: (origin) => settings.corsOrigins.includes(origin),
      allowedHeaders: [
        "Authorization",
        "Content-Type",
        "Idempotency-Key",
        "If-Match",
        "Last-Event-ID",
        "X-Organization-Id",
        "X-Request-Id"
      ],
      exposedHeaders,
      maxAge: 600
    })
    return Layer.merge(HttpRouter.middleware(cors, { global: true }), edge)
  })
)
