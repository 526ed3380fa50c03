import { Clock, Duration, Effect, Random, Result } from "effect"
import { Headers, HttpClientError, type HttpClientRequest, type HttpClientResponse } from "effect/http"
import { SentOnce } from "./CurrentCall.ts"
import { codeOfResponse, leavesOpen } from "./edgeFailures.ts"

type Request = HttpClientRequest.HttpClientRequest
type Response = HttpClientResponse.HttpClientResponse
type HttpFailure = HttpClientError.HttpClientError

/** How failures that may pass are met. */
export interface RetryPolicy {
  /** How often a call is sent again. */
  readonly times: number
  /** The first wait; every further one is twice as long. */
  readonly firstWait: Duration.Input
  /** The longest wait. If the service asks for a longer one, its answer is handed on instead. */
  readonly longestWait: Duration.Input
  /** How long one attempt may take. */
  readonly attemptTimeout: Duration.Input
}

/** What is done if nothing else is said. */
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
    reason: new HttpClientError.TransportError({ request, description: "There was no answer in time" })
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
export const withRetries = (
  execute: (request: Request) => Effect.Effect<Response, HttpFailure>,
  policy: RetryPolicy
) => {
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
