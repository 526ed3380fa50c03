import { sessions } from "./calls.generated.ts"
import type { CallOptions } from "./methods.ts"
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
  type TransportSettings,
  untilAborted
} from "./transport.ts"

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

/** Dependencies of methods to call the service. */
export interface Connection {
  readonly send: Send
  readonly sleep: Sleep
}

const unaborted = () => new AbortController().signal

/** The headers of a call, the later before the earlier. */
const headersOf = (...layers: ReadonlyArray<Readonly<Record<string, string>>>) => {
  // The service redirects callers that do not ask for JSON.
  const headers = new Headers({ accept: "application/json, */*;q=0.5" })
  for (const [name, value] of layers.flatMap((layer) => Object.entries(layer))) headers.set(name, value)
  return headers
}

const requestOf = (options: ParleyOptions, endpoint: Endpoint, input: object, call: CallOptions): SentRequest => {
  const { answer, flags, method } = endpoint
  const { body, headers, path } = placeFields(endpoint, input)
  const organizationId = call.organizationId ?? options.organizationId
  const isKeyed = method === "POST" && !("unkeyed" in flags)
  const isInOrganization = organizationId !== undefined && !("public" in flags || "personal" in flags)
  return {
    method,
    path,
    body,
    answer,
    headers: headersOf(
      options.headers ?? {},
      headers,
      isKeyed ? { "idempotency-key": call.idempotencyKey ?? newKey() } : {},
      isInOrganization ? { "x-organization-id": organizationId } : {},
      call.headers ?? {}
    ),
    signal: call.signal ?? unaborted(),
    timeout: call.timeout ?? options.timeout ?? 30_000
  }
}

/** Sends a request with the current token, and again with a new one after the token has expired. */
const authorized = async (
  request: SentRequest,
  { current, renew, renewals }: Tokens,
  settings: TransportSettings
): Promise<Outcome> => {
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

const tokensFor = (options: ParleyOptions, settings: TransportSettings): Tokens | null => {
  const { session, token } = options
  if (session === undefined) return token === undefined ? null : tokensOf(token)
  const exchange = async (refreshToken: string, idempotencyKey: string) => {
    const request = requestOf(options, readEndpoint(sessions.refresh), { refreshToken }, { idempotencyKey })
    const { data, problem } = await sendWithRetries(request, settings)
    return problem ?? (data as TokenPair)
  }
  return tokensOfSession(session, exchange, (milliseconds) => settings.sleep(milliseconds, unaborted()))
}

/** Connects a client to its service. */
export const connect = (options: ParleyOptions): Connection => {
  const { baseUrl, fetch: fetched = (...args) => fetch(...args), retry, sleep = sleepInTime } = options
  const settings: TransportSettings = {
    baseUrl: String(baseUrl).replace(/\/+$/u, ""),
    fetch: fetched,
    sleep,
    policy: { ...defaultRetryPolicy, ...retry }
  }
  const tokens = tokensFor(options, settings)
  const send: Send = async (endpoint, input, call) => {
    const request = requestOf(options, endpoint, input, call)
    if (tokens === null || "public" in endpoint.flags) return sendWithRetries(request, settings)
    return authorized(request, tokens, settings).catch((error: unknown) => {
      const problem = request.signal.aborted ? abortedBy(request.signal) : error
      if (problem instanceof ParleyProblem) return { problem, response: null }
      throw error
    })
  }
  return { send, sleep }
}
