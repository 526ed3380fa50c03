import { clientProblem, type ParleyProblem, problemIn } from "./problem.ts"
import type { Endpoint, PlacedRequest } from "./request.ts"

/** Options of the repetition of failed calls. */
export interface RetryPolicy {
  /** Number of repetitions. Default: 3. */
  readonly times: number
  /** First wait in milliseconds; each further one is twice as long. Default: 200. */
  readonly firstWait: number
  /** Longest wait in milliseconds. If the service asks for a longer one, the call fails. Default: 20,000. */
  readonly longestWait: number
}

export const defaultRetryPolicy: RetryPolicy = { times: 3, firstWait: 200, longestWait: 20_000 }

/** Waits for some milliseconds, or until the signal is aborted. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>

export const sleepInTime: Sleep = (milliseconds, signal) =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener("abort", end)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal.addEventListener("abort", end)
    if (signal.aborted) end()
  })

/** Dependencies of a client to send requests. */
export interface TransportSettings {
  readonly baseUrl: string
  readonly fetch: typeof fetch
  readonly sleep: Sleep
  readonly policy: RetryPolicy
}

/** A request with everything that its attempts have in common. */
export interface SentRequest extends Pick<PlacedRequest, "body" | "path">, Pick<Endpoint, "answer" | "method"> {
  readonly headers: Headers
  readonly signal: AbortSignal
  readonly timeout: number
}

/** The outcome of an attempt. */
export type Outcome =
  | { readonly data: unknown; readonly problem?: undefined; readonly response: Response }
  | { readonly problem: ParleyProblem; readonly data?: undefined; readonly response: Response | null }

/** Whether a body can be sent only once. */
export const isStream = (body: PlacedRequest["body"]): boolean => body instanceof ReadableStream

const readSuccess = async (response: Response, { answer }: SentRequest): Promise<Outcome> => {
  if (answer === "stream") return { data: response, response }
  const text = await response.text()
  const isJson = response.headers.get("content-type")?.includes("json") === true
  try {
    if (isJson) return { data: JSON.parse(text), response }
  } catch (cause) {
    return {
      problem: clientProblem("unexpected_answer", "The answer is not valid JSON", cause, response.status),
      response
    }
  }
  return text === "" || answer === "text"
    ? { data: text === "" ? undefined : text, response }
    : { problem: problemIn(response, text), response }
}

export const abortedBy = ({ reason }: AbortSignal): ParleyProblem =>
  clientProblem("aborted", "The call was aborted", reason)

/** Rejects when the signal is aborted first. */
export const untilAborted = <A>(signal: AbortSignal, promise: Promise<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    signal.addEventListener("abort", abort)
    if (signal.aborted) abort()
    void promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort))
  })

const failureOf = ({ signal, timeout }: SentRequest, isLate: boolean, cause: unknown) => {
  if (signal.aborted) return abortedBy(signal)
  return isLate
    ? clientProblem("timed_out", `The service did not answer within ${timeout} ms`, cause)
    : clientProblem("connection_failed", "The connection to the service failed", cause)
}

const exchange = async (
  request: SentRequest,
  signal: AbortSignal,
  { baseUrl, fetch }: TransportSettings
): Promise<Outcome> => {
  const { body, headers, method, path } = request
  const sent = body === undefined ? {} : { body, ...(isStream(body) && { duplex: "half" }) }
  const response = await fetch(baseUrl + path, { method, headers, signal, ...sent })
  if (response.ok) return readSuccess(response, request)
  return { problem: problemIn(response, await response.text()), response }
}

/** Sends a request once. The time limit includes the answer, except for files and streams, which the caller reads. */
const attempt = async (request: SentRequest, settings: TransportSettings): Promise<Outcome> => {
  const { answer, signal, timeout } = request
  if (signal.aborted) return { problem: abortedBy(signal), response: null }
  const connection = new AbortController()
  const clock = new AbortController()
  const abort = () => connection.abort(signal.reason)
  let isLate = false
  signal.addEventListener("abort", abort)
  void settings.sleep(timeout, clock.signal).then(() => {
    isLate = !clock.signal.aborted
    if (isLate) connection.abort()
  })
  const outcome = await untilAborted(connection.signal, exchange(request, connection.signal, settings)).catch(
    (cause: unknown): Outcome => ({ problem: failureOf(request, isLate, cause), response: null })
  )
  clock.abort()
  // An abort also ends the download of a file.
  if (answer !== "stream" || outcome.problem !== undefined) signal.removeEventListener("abort", abort)
  return outcome
}

/** A repeated call has no second effect, because it only reads or because the service recognizes its key. */
const isRepeatable = ({ headers, method }: SentRequest) => method === "GET" || headers.has("idempotency-key")

const isTemporary = (problem: ParleyProblem, request: SentRequest) => {
  const { code, status } = problem
  if (status === 429 || status === 503) {
    return isRepeatable(request) || Reflect.get(problem, "outcomeUnknown") !== true
  }
  if (!isRepeatable(request)) return false
  if (status === 502 || status === 504 || code === "idempotency_key_in_progress") return true
  return code === "connection_failed" || code === "timed_out"
}

/** A wait that doubles with each failure, with jitter. */
export const backoff = (failures: number, { firstWait, longestWait }: Omit<RetryPolicy, "times">): number =>
  Math.min(firstWait * 2 ** failures, longestWait) * (0.5 + Math.random() / 2)

/** Sends a request, and repeats it after a wait if its failure is temporary and the repetition is safe. */
export const sendWithRetries = async (request: SentRequest, settings: TransportSettings): Promise<Outcome> => {
  const { longestWait, times } = settings.policy
  for (let repetition = 0; ; repetition++) {
    const outcome = await attempt(request, settings)
    const { problem } = outcome
    if (problem === undefined || repetition >= times || isStream(request.body) || !isTemporary(problem, request)) {
      return outcome
    }
    const wait = Math.max(backoff(repetition, settings.policy), (problem.retryAfter ?? 0) * 1_000)
    if (wait > longestWait) return outcome
    await settings.sleep(wait, request.signal)
  }
}
