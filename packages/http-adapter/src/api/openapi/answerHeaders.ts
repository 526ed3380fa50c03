import {
  Authenticated,
  Idempotent,
  InOnlyOrganization,
  InOrganization,
  Public,
  WithDocsSession
} from "../middleware.ts"
import { type Ref, refTo } from "./Document.ts"
import type { Reflected } from "./reflectApi.ts"
import type { headers } from "./shared.ts"

const point = (name: keyof typeof headers) => refTo("headers", name)

const limited = [Public, Authenticated, InOrganization, InOnlyOrganization, WithDocsSession]

const isLimited = ({ behind }: Reflected) => limited.some((middleware) => behind.has(middleware))

/** The headers of an answer with this status; of an endpoint, or of a failure that any endpoint can give. */
export const headersOf = (
  answer: { readonly status: string; readonly isRetryable: boolean },
  reflected: Reflected | null
): Readonly<Record<string, Ref>> => ({
  "X-Request-Id": point("RequestId"),
  ...(reflected !== null &&
    isLimited(reflected) && { RateLimit: point("RateLimit"), "RateLimit-Policy": point("RateLimitPolicy") }),
  ...(answer.status === "401" && { "WWW-Authenticate": point("WwwAuthenticate") }),
  ...(answer.isRetryable && { "Retry-After": point("RetryAfter") }),
  ...(reflected?.behind.has(Idempotent) === true && { "Idempotency-Replayed": point("IdempotencyReplayed") })
})
