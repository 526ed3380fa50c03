import { type Header, type Parameter, type Ref, type Reflected, refTo } from "../describe.ts"
import {
  Authenticated,
  Idempotent,
  InOnlyOrganization,
  InOrganization,
  Public,
  WithDocsSession
} from "../middleware.ts"
import { organization, requestId } from "./examples/samples.ts"

const text = { type: "string" }

const organizationId = {
  name: "X-Organization-Id",
  in: "header",
  schema: { type: "string", format: "uuid" },
  example: organization.id
}

/** Shared request parameters. */
export const parameters = {
  OrganizationId: { ...organizationId, required: true, description: "The organization that the call acts in." },
  OnlyOrganizationId: {
    ...organizationId,
    required: false,
    description: "The organization that the call acts in. Who belongs to one organization only may leave it out."
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      "A text of your choice, new for every new request, such as a UUID. The same request sent again with the same key changes nothing more and gets the first answer, for 24 hours.",
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
    example: "8f14e45f-ceea-467f-a0e6-1c1a2b3c4d5e"
  },
  RequestId: {
    name: "X-Request-Id",
    in: "header",
    required: false,
    description: "An id for this request, to find it again. One is made if there is none, or if it is not sane.",
    schema: { type: "string", minLength: 8, maxLength: 128, pattern: "^[A-Za-z0-9._~:-]+$" },
    example: requestId
  }
} as const satisfies Readonly<Record<string, Parameter>>

/** Shared response headers. */
export const headers = {
  RequestId: {
    description: "The id of this request: yours, or one that was made.",
    required: true,
    schema: text,
    example: requestId
  },
  RateLimit: {
    description:
      "How you stand with the tighter limit: `r` calls remain, `t` seconds go by until the count starts anew.",
    schema: text,
    example: '"default";r=5987;t=42'
  },
  RateLimitPolicy: {
    description: "The tighter limit: `q` calls in `w` seconds.",
    schema: text,
    example: '"default";q=6000;w=60'
  },
  RetryAfter: {
    description: "How many seconds to wait before the next try.",
    schema: { type: "integer", minimum: 1 },
    example: 17
  },
  WwwAuthenticate: {
    description: "What kind of token is needed, and what is wrong with the one that came.",
    required: true,
    schema: text,
    example: 'Bearer realm="parley", error="invalid_token", error_description="token_expired"'
  },
  IdempotencyReplayed: {
    description: "`true` when this is the answer to an earlier request with the same Idempotency-Key.",
    schema: { type: "string", enum: ["true"] },
    example: "true"
  }
} as const satisfies Readonly<Record<string, Header>>

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
  /** Whether the endpoint itself sets it, so that it is stored for a repeated call. */
  readonly isOwn: boolean
}

/** Response headers of an endpoint, or of general errors. */
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
