import { Context, Effect, Metric, Option, Predicate, Schema } from "effect"
import { Headers, HttpServerResponse } from "effect/http"
import { problemJson } from "../api/problem.ts"

/** Facts about a request, recorded on the way in and used to finish the response. */
export interface Exchange {
  readonly requestId: string
  organizationId: string | null
  actor: string | null
  rateLimit: { readonly policy: string; readonly state: string } | null
}

export const makeExchange = (requestId: string): Exchange => ({
  requestId,
  organizationId: null,
  actor: null,
  rateLimit: null
})

export const CurrentExchange = Context.Reference<Exchange>("@parley/http-adapter/Exchange", {
  defaultValue: () => makeExchange("")
})

const boundaries = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

const durations = ["1xx", "2xx", "3xx", "4xx", "5xx"].map((status) =>
  Metric.histogram("parley_http_request_duration_seconds", {
    description: "Duration of requests, by status class",
    boundaries
  }).pipe(Metric.withAttributes({ status }))
)

/** Counts a request and records its duration. */
export const countRequest = (status: number, millis: number) => {
  const metric = durations[Math.floor(status / 100) - 1]
  return metric === undefined ? Effect.void : Metric.update(metric, millis / 1000)
}

const refusals = Metric.counter("parley_rate_limit_refusals_total", {
  description: "Number of requests that a rate limit refused, by scope",
  incremental: true
})

/** Counts a rejected request. The scope of a bucket is the text before its colon. */
export const countRefusal = (bucket: string) => {
  const scope = bucket.slice(0, bucket.indexOf(":"))
  return Metric.update(Metric.withAttributes(refusals, { scope }), 1)
}

const lag = Metric.histogram("parley_event_lag_seconds", {
  description: "Delay between an event and its delivery to readers of the live feed",
  boundaries: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
})

/** Counts an event that was sent to a reader, and records its lag. */
export const countEvent = (millis: number) => Metric.update(lag, Math.max(0, millis) / 1000)

type Response = HttpServerResponse.HttpServerResponse

const decoder = new TextDecoder()

const challenge = (code: string) =>
  code.startsWith("token_")
    ? `Bearer realm="parley", error="invalid_token", error_description="${code}"`
    : 'Bearer realm="parley"'

const parse = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

const read = (response: Response) =>
  response.body._tag === "Uint8Array" ? Option.getOrNull(parse(decoder.decode(response.body.body))) : null

/** Headers that some problems require in addition to their document. */
const owed = (response: Response): Record<string, string> => {
  const { status } = response
  if (response.headers["content-type"] !== problemJson) return {}
  if (status !== 401 && status !== 405 && status !== 409 && status !== 429 && status !== 503) return {}
  const problem = read(response)
  if (problem === null) return {}
  const { allowed, code, retryAfterSeconds } = problem
  return {
    ...(status === 401 && { "www-authenticate": challenge(String(code)) }),
    ...(Array.isArray(allowed) && { allow: allowed.join(", ") }),
    ...(Predicate.isNumber(retryAfterSeconds) && { "retry-after": String(retryAfterSeconds) })
  }
}

const apiPolicy = "default-src 'none'; frame-ancestors 'none'"

/** Finishes a response: adds the request id, the rate limit state and the security headers for browsers. */
export const finishHeaders = (secure: boolean) => {
  const fixed = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    ...(secure && { "strict-transport-security": "max-age=31536000; includeSubDomains" })
  }
  return (response: Response, exchange: Exchange): Response => {
    const headers: Record<string, string> = { ...fixed, "x-request-id": exchange.requestId }
    if (response.headers["content-security-policy"] === undefined) headers["content-security-policy"] = apiPolicy
    if (response.headers["cache-control"] === undefined) headers["cache-control"] = "no-store"
    if (exchange.rateLimit !== null) {
      headers["ratelimit"] = exchange.rateLimit.state
      headers["ratelimit-policy"] = exchange.rateLimit.policy
    }
    if (response.status >= 400) Object.assign(headers, owed(response))
    // All names are in lower case already. Skipping the conversion saves time on each response.
    return HttpServerResponse.setHeaders(response, Headers.fromRecordUnsafe(headers))
  }
}
