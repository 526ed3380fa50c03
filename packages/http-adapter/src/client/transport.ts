import { Clock, Duration, Effect, Option, Random, Result, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Headers, HttpClient, HttpClientError, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { problemJson } from "../api/problem.ts"
import { problems } from "../api/problems.ts"
import type { EdgeFailure } from "./Client.ts"
import { ChosenHeaders, ChosenKey, ChosenMediaType, ChosenOrganization, CurrentCall, SentOnce } from "./CurrentCall.ts"

type Response = HttpClientResponse.HttpClientResponse

const readEdgeFailure = Schema.decodeUnknownOption(
  Schema.Union([
    problems.HeadersTooLarge,
    problems.InternalError,
    problems.MethodNotAllowed,
    problems.PathNotFound,
    problems.PayloadTooLarge,
    problems.RequestMalformed,
    problems.RequestTimeout,
    problems.UnsupportedMediaType
  ])
)

const readCode = Schema.decodeUnknownOption(Schema.Struct({ code: Schema.String }))

const isProblem = (response: Response) => response.headers["content-type"]?.startsWith(problemJson) === true

/** The code of the problem that a response is; `null` when it is none. */
export const codeOfResponse = (response: Response): Effect.Effect<string | null> =>
  isProblem(response)
    ? response.json.pipe(
        Effect.map((body) => Option.match(readCode(body), { onNone: () => null, onSome: ({ code }) => code })),
        Effect.orElseSucceed(() => null)
      )
    : Effect.succeed(null)

const readOpen = Schema.decodeUnknownOption(Schema.Struct({ outcomeUnknown: Schema.Literal(true) }))

/** Whether the response reports an unknown outcome. */
const leavesOpen = (response: Response): Effect.Effect<boolean> =>
  response.status === 503 && isProblem(response)
    ? response.json.pipe(
        Effect.map((body) => Option.isSome(readOpen(body))),
        Effect.orElseSucceed(() => false)
      )
    : Effect.succeed(false)

/** Returns a response unless it is an edge error that no endpoint declares. */
const failOnEdge = (response: Response): Effect.Effect<Response, EdgeFailure | HttpClientError.HttpClientError> =>
  isProblem(response)
    ? Effect.flatMap(response.json, (body) =>
        Option.match(readEdgeFailure(body), {
          onNone: () => Effect.succeed(response),
          onSome: (failure) => Effect.fail(failure)
        })
      )
    : Effect.succeed(response)

type Request = HttpClientRequest.HttpClientRequest
type HttpFailure = HttpClientError.HttpClientError

/** Options for the repetition of temporary failures. */
export interface RetryPolicy {
  /** Number of repetitions. */
  readonly times: number
  /** The first wait; every further one is twice as long. */
  readonly firstWait: Duration.Input
  /** The longest wait. If the service requests a longer one, the call returns its answer. */
  readonly longestWait: Duration.Input
  /** Time limit of one attempt. */
  readonly attemptTimeout: Duration.Input
}

/** Default options. */
export const defaultRetryPolicy: RetryPolicy = {
  times: 3,
  firstWait: "200 millis",
  longestWait: "20 seconds",
  attemptTimeout: "30 seconds"
}

/** Sent again, it does no more than once: it only reads, or the service knows it by its key. */
const isRepeatable = ({ headers, method }: Request) => method === "GET" || headers["idempotency-key"] !== undefined

const timedOut = (request: Request) =>
  new HttpClientError.HttpClientError({
    reason: new HttpClientError.TransportError({ request, description: "The request timed out" })
  })

const askedWait = Effect.fnUntraced(function* (response: Response) {
  const header = response.headers["retry-after"]
  if (header === undefined) return null
  const asked = Headers.parseRetryAfter(header)
  return Result.isSuccess(asked) ? Headers.retryAfterDelay(asked.success, yield* Clock.currentTimeMillis) : null
})

/** Whether the service cannot take the request now. */
const isRefused = ({ status }: Response) => status === 429 || status === 503

const mayPass = Effect.fnUntraced(function* (request: Request, outcome: Result.Result<Response, HttpFailure>) {
  if (Result.isFailure(outcome)) {
    return outcome.failure.reason._tag === "TransportError" && isRepeatable(request)
  }
  const response = outcome.success
  if (isRefused(response)) return isRepeatable(request) || !(yield* leavesOpen(response))
  if (!isRepeatable(request)) return false
  if (response.status === 502 || response.status === 504) return true
  return response.status === 409 && (yield* codeOfResponse(response)) === "idempotency_key_in_progress"
})

/** Sends requests again, after a wait, while their failure may pass and repeating them is safe. */
const withRetries = (execute: (request: Request) => Effect.Effect<Response, HttpFailure>, policy: RetryPolicy) => {
  const longest = Duration.fromInputUnsafe(policy.longestWait)

  const waitBefore = Effect.fnUntraced(function* (attempt: number, outcome: Result.Result<Response, HttpFailure>) {
    const asked = Result.isSuccess(outcome) ? yield* askedWait(outcome.success) : null
    const backoff = Duration.times(Duration.fromInputUnsafe(policy.firstWait), 2 ** attempt)
    const jittered = Duration.times(Duration.min(backoff, longest), yield* Random.nextBetween(0.5, 1))
    return asked === null ? jittered : Duration.max(asked, jittered)
  })

  const send = (request: Request, attempt: number): Effect.Effect<Response, HttpFailure> =>
    Effect.gen(function* () {
      const outcome = yield* execute(request).pipe(
        Effect.timeoutOrElse({ duration: policy.attemptTimeout, orElse: () => Effect.fail(timedOut(request)) }),
        Effect.result
      )
      const isLast = attempt >= policy.times || (yield* SentOnce)
      if (isLast || !(yield* mayPass(request, outcome))) return yield* Effect.fromResult(outcome)
      const wait = yield* waitBefore(attempt, outcome)
      if (Duration.isGreaterThan(wait, longest)) return yield* Effect.fromResult(outcome)
      yield* Effect.sleep(wait)
      return yield* send(request, attempt + 1)
    })

  return (request: Request) => send(request, 0)
}

/** Failures of the transport. */
export type TransportFailure = EdgeFailure | HttpClientError.HttpClientError

/** Sends a request with a token, through the given sender. */
export type Authorize<E> = (
  request: Request,
  execute: (request: Request) => Effect.Effect<Response, HttpClientError.HttpClientError>
) => Effect.Effect<Response, E | HttpClientError.HttpClientError>

/** Settings of every request. */
export interface TransportSettings {
  readonly baseUrl: string | URL
  readonly organizationId: string | null
  readonly policy: RetryPolicy
  readonly propagatesTraces: boolean
}

const withHeader = (name: string, value: string | null) => (request: Request) =>
  value === null ? request : HttpClientRequest.setHeader(request, name, value)

/** Sends a call by the contract, repeats it if allowed, and decodes errors of the edge. */
export const transport = <E>(
  http: HttpClient.HttpClient,
  settings: TransportSettings,
  authorize: Authorize<E> | null
): HttpClient.HttpClient.With<E | TransportFailure> => {
  const execute = withRetries(
    (request) =>
      Effect.provideService(http.execute(request), HttpClient.TracerPropagationEnabled, settings.propagatesTraces),
    settings.policy
  )
  const send = Effect.fnUntraced(function* (request: Request) {
    const carries = yield* CurrentCall
    const organizationId = (yield* ChosenOrganization) ?? settings.organizationId
    const key = (yield* ChosenKey) ?? SecureRandom.uuidV4Unsafe()
    const ready = request.pipe(
      // The service redirects browsers, which do not ask for JSON.
      withHeader("accept", request.headers["accept"] ?? "application/json, */*;q=0.5"),
      HttpClientRequest.setHeaders(yield* ChosenHeaders),
      HttpClientRequest.prependUrl(settings.baseUrl.toString()),
      withHeader("x-organization-id", carries.organization ? organizationId : null),
      withHeader("idempotency-key", carries.idempotencyKey ? key : null),
      withHeader("content-type", yield* ChosenMediaType)
    )
    const response = yield* carries.token && authorize !== null ? authorize(ready, execute) : execute(ready)
    return yield* failOnEdge(response)
  })
  return HttpClient.makeWith<never, never, E | TransportFailure, never>(
    (request) => Effect.flatMap(request, send),
    Effect.succeed
  )
}
