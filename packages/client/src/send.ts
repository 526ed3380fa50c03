import { sessions } from "./calls.generated.ts"
import { ParleyProblem } from "./problem.ts"
import { type Endpoint, placeFields, readEndpoint } from "./request.ts"
import {
  newKey,
  type Session,
  type TokenPair,
  type Tokens,
  type TokenSource,
  tokensOf,
  tokensOfSession
} from "./tokens.ts"
import {
  abortedBy,
  defaultRetryPolicy,
  isStream,
  type Outcome,
  type RetryPolicy,
  type SentRequest,
  sendWithRetries,
  type Sleep,
  sleepInTime,
  untilAborted
} from "./transport.ts"
import type { CallOptions } from "./methods.ts"

interface Settings {
  /** Address of the service, without `/api/v1`. */
  readonly baseUrl: string | URL
  /** Organization of the calls. */
  readonly organizationId?: string
  /** Time limit of one attempt in milliseconds. Default: 30,000. */
  readonly timeout?: number
  readonly retry?: Partial<RetryPolicy>
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** Replaces `fetch`. */
  readonly fetch?: typeof fetch
  /** Replaces the timer, for tests. */
  readonly sleep?: Sleep
}

/** Settings of a client. Without a token and a session, only public calls succeed. */
export type ParleyOptions = Settings &
  (
    | { readonly token?: string | TokenSource; readonly session?: undefined }
    | { readonly session: Session; readonly token?: undefined }
  )

/** Sends the call of an endpoint. */
export type Send = (endpoint: Endpoint, input: object, options: CallOptions) => Promise<Outcome>

/** What methods call the service with. */
export interface Connection {
  readonly send: Send
  readonly sleep: Sleep
}

const unaborted = () => new AbortController().signal

/** Connects a client to its service. */
export const connect = (options: ParleyOptions): Connection => {
  const { fetch: fetched = (...args) => fetch(...args), headers: always = {}, sleep = sleepInTime } = options
  const { session, timeout: usualTimeout = 30_000, token } = options
  const settings = {
    baseUrl: String(options.baseUrl).replace(/\/+$/u, ""),
    fetch: fetched,
    sleep,
    policy: { ...defaultRetryPolicy, ...options.retry }
  }

  const requestOf = (endpoint: Endpoint, input: object, call: CallOptions): SentRequest => {
    const { answer, flags, method } = endpoint
    const { headers: placed, ...rest } = placeFields(endpoint, input)
    const {
      headers: own,
      idempotencyKey = newKey(),
      organizationId = options.organizationId,
      signal = unaborted()
    } = call
    const isKeyed = method === "POST" && !("unkeyed" in flags)
    const isInOrganization = organizationId !== undefined && !("public" in flags || "personal" in flags)
    // The service redirects callers that do not ask for JSON.
    const headers = new Headers({ accept: "application/json, */*;q=0.5" })
    const layers = [
      always,
      placed,
      isKeyed ? { "idempotency-key": idempotencyKey } : {},
      isInOrganization ? { "x-organization-id": organizationId } : {},
      own ?? {}
    ]
    for (const [name, value] of layers.flatMap((layer) => Object.entries(layer))) headers.set(name, value)
    return { ...rest, method, answer, headers, signal, timeout: call.timeout ?? usualTimeout }
  }

  const exchange = async (refreshToken: string, idempotencyKey: string) => {
    const request = requestOf(readEndpoint(sessions.refresh), { refreshToken }, { idempotencyKey })
    const { data, problem } = await sendWithRetries(request, settings)
    return problem ?? (data as TokenPair)
  }
  const pause = (milliseconds: number) => sleep(milliseconds, unaborted())
  const tokens =
    session === undefined ? (token === undefined ? null : tokensOf(token)) : tokensOfSession(session, exchange, pause)

  const authorized = async (request: SentRequest, { current, renew, renewals }: Tokens): Promise<Outcome> => {
    let token = await untilAborted(request.signal, Promise.resolve(current()))
    for (let renewal = 0; ; renewal++) {
      request.headers.set("authorization", `Bearer ${token}`)
      const outcome = await sendWithRetries(request, settings)
      if (outcome.problem?.code !== "token_expired" || renewal === renewals || isStream(request.body)) return outcome
      const next = await untilAborted(request.signal, renew(token))
      if (next === token) return outcome
      token = next
    }
  }

  const send: Send = async (endpoint, input, call) => {
    const request = requestOf(endpoint, input, call)
    if (tokens === null || "public" in endpoint.flags) return sendWithRetries(request, settings)
    return authorized(request, tokens).catch((error: unknown) => {
      const problem = request.signal.aborted ? abortedBy(request.signal) : error
      if (problem instanceof ParleyProblem) return { problem, response: null }
      throw error
    })
  }
  return { send, sleep }
}
