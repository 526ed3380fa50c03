import { Option, Predicate, Schema } from "effect"
import { Headers, HttpServerResponse } from "effect/http"
import { problemJson } from "../api/problem.ts"
import type { Exchange } from "./Exchange.ts"

type Response = HttpServerResponse.HttpServerResponse

const decoder = new TextDecoder()

const challenge = (code: string) =>
  code.startsWith("token_")
    ? `Bearer realm="parley", error="invalid_token", error_description="${code}"`
    : 'Bearer realm="parley"'

const parse = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

const read = (response: Response) =>
  response.body._tag === "Uint8Array" ? Option.getOrNull(parse(decoder.decode(response.body.body))) : null

/** The headers that some problems owe to the caller besides their document. */
const owed = (response: Response): Record<string, string> => {
  const { status } = response
  if (response.headers["content-type"] !== problemJson) return {}
  if (status !== 401 && status !== 405 && status !== 429 && status !== 503) return {}
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

/** Finishes a response: the request's id, how the caller stands with its rate limit, and what browsers must know. */
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
    // Every name is in lower case already: on each answer, so worth not asking again.
    return HttpServerResponse.setHeaders(response, Headers.fromRecordUnsafe(headers))
  }
}
