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

/** "Not now" is not kept: the same request may go through in a moment. */
const passing: ReadonlySet<string> = new Set(["429", "503"])

/** Who is refused before the request was read is not counted. */
const uncounted: ReadonlySet<string> = new Set(["408", "431"])

const limited = [Public, Authenticated, InOrganization, InOnlyOrganization, WithDocsSession].map(({ key }) => key)

/** What of an answer decides its headers. */
export interface Kind {
  readonly status: string
  /** Whether it says how long to wait. */
  readonly isRetryable: boolean
  /** Whether the endpoint itself gave it, so that it is kept for a repeated call. */
  readonly isOwn: boolean
}

/** The headers of an answer: of an endpoint, or of whatever any endpoint can answer. */
export const headersOf = (kind: Kind, reflected: Reflected | null): Readonly<Record<string, Ref>> => {
  const behind = reflected?.behind ?? new Set(limited)
  return {
    "X-Request-Id": point("RequestId"),
    ...(!uncounted.has(kind.status) &&
      limited.some((key) => behind.has(key)) && {
        RateLimit: point("RateLimit"),
        "RateLimit-Policy": point("RateLimitPolicy")
      }),
    ...(kind.status === "401" && { "WWW-Authenticate": point("WwwAuthenticate") }),
    ...(kind.isRetryable && { "Retry-After": point("RetryAfter") }),
    ...(kind.isOwn &&
      !passing.has(kind.status) &&
      behind.has(Idempotent.key) && { "Idempotency-Replayed": point("IdempotencyReplayed") })
  }
}
