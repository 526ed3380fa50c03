import { CurrentRequest, Ids, outageIn, ValidationFailed } from "@parley/domain"
import { Cause, Clock, Context, Effect, Layer } from "effect"
import { HttpMiddleware, HttpRouter, HttpServerError, HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { unhandled } from "effect/Types"
import { Api } from "../api/Api.ts"
import { problemJson } from "../api/problem.ts"
import {
  InternalError,
  MethodNotAllowed,
  PathNotFound,
  PayloadTooLarge,
  UnsupportedMediaType
} from "../api/problems.ts"
import { behindProxies } from "./addressOf.ts"
import { CurrentExchange, type Exchange, makeExchange } from "./Exchange.ts"
import { faultOfPath, isPathDecodable } from "./faults/faultsOfUrl.ts"
import { finishHeaders } from "./headers.ts"
import { knownPaths } from "./KnownPaths.ts"
import { type Problem, renderProblem } from "./renderProblem.ts"
import { countRequest } from "./requestMetrics.ts"
import { ServerConfig, type ServerSettings } from "./ServerConfig.ts"
import { unavailableAs } from "./StorageFaults.ts"

type Response = HttpServerResponse.HttpServerResponse

const sane = /^[A-Za-z0-9._~:-]{8,128}$/

const pathOf = (url: string) => {
  const end = url.search(/[?#;]/)
  return end === -1 ? url : url.slice(0, end)
}

/** Whom a path is about is nobody's business who reads a log. */
const loggedPathOf = (url: string) => pathOf(url).replace(/(?<=\/contacts\/by-phone\/)[^/]+/u, ":phone")

const paths = knownPaths(Api, ["/", "/openapi.json", "/docs", "/metrics", "/invitations/accept", "/password/reset"])

/** A path that knows the method and was not found all the same cannot be decoded. */
const unknownPath = ({ method, url }: HttpServerRequest.HttpServerRequest): Problem => {
  const path = pathOf(url)
  const allowed = paths.methodsOf(path)
  if (allowed.length === 0) return new PathNotFound()
  if (!allowed.includes(method)) return new MethodNotAllowed({ allowed })
  return isPathDecodable(path) ? new PathNotFound() : new ValidationFailed({ errors: [faultOfPath] })
}

const isRouteNotFound = (error: unknown) =>
  HttpServerError.isHttpServerError(error) && error.reason._tag === "RouteNotFound"

/** What failed without a form of its own is a problem too, which tells nothing about the inside. */
const problemOf = (cause: Cause.Cause<unknown>, request: HttpServerRequest.HttpServerRequest): Problem => {
  if (isRouteNotFound(Cause.squash(cause))) return unknownPath(request)
  const outage = outageIn(cause)
  return outage === null ? new InternalError() : unavailableAs(outage.outcome)
}

/** A page that says of itself that there is nothing else at its path. */
const isPage = ({ headers }: Response) => headers["content-type"]?.startsWith("text/html") === true

/** Bare failures of the framework become problems. */
const asProblem = (
  response: Response,
  request: HttpServerRequest.HttpServerRequest,
  maxBodyBytes: number
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
  Effect.logError("The request failed inside", cause).pipe(
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

/** What everything inside knows of the request, put there at once. */
const carrying =
  (request: HttpServerRequest.HttpServerRequest, exchange: Exchange) =>
  (context: Context.Context<never>): Context.Context<never> =>
    context.pipe(
      Context.add(CurrentRequest, { id: exchange.requestId }),
      Context.add(CurrentExchange, exchange),
      Context.add(HttpServerRequest.HttpServerRequest, request)
    )

const makeEdge = (settings: ServerSettings, ids: Ids["Service"]) => {
  const finish = finishHeaders(settings.baseUrl.startsWith("https:"))
  const withCaller = behindProxies(settings.trustedProxyHops)

  const answered = (
    app: Effect.Effect<Response, unhandled>,
    exchange: Exchange,
    request: HttpServerRequest.HttpServerRequest
  ) =>
    app.pipe(
      Effect.flatMap((response) => {
        const bare = asProblem(response, request, settings.maxBodyBytes)
        return bare === null ? Effect.succeed(response) : renderProblem(bare)
      }),
      Effect.catchCause((cause): Effect.Effect<Response, unhandled> => {
        if (Cause.hasInterruptsOnly(cause)) return Effect.failCause(cause)
        const failure = problemOf(cause, request)
        const rendered = renderProblem(failure)
        return failure._tag === "InternalError"
          ? Effect.andThen(logFailure(cause, exchange, request), rendered)
          : rendered
      })
    )

  return (app: Effect.Effect<Response, unhandled>) =>
    Effect.gen(function* () {
      const request = withCaller(yield* HttpServerRequest.HttpServerRequest)
      const wanted = request.headers["x-request-id"]
      const requestId = wanted !== undefined && sane.test(wanted) ? wanted : yield* ids.next
      const exchange = makeExchange(requestId)
      const clock = yield* Clock.Clock
      const startedAt = clock.currentTimeMillisUnsafe()
      const response = yield* Effect.updateContext(answered(app, exchange, request), carrying(request, exchange))
      const millis = clock.currentTimeMillisUnsafe() - startedAt
      yield* countRequest(response.status, millis)
      if (settings.accessLog) yield* logAccess(exchange, request, response.status, millis)
      return finish(response, exchange)
    })
}

const exposedHeaders = [
  "X-Request-Id",
  "Idempotency-Replayed",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "WWW-Authenticate"
]

/** The outermost middleware: every answer passes it, whatever went wrong inside. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const settings = yield* ServerConfig
    const edge = HttpRouter.middleware(makeEdge(settings, yield* Ids), { global: true })
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
