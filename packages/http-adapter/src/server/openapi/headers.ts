import { type Header, type Parameter, type Ref, type Reflected, refTo } from "../../api/describe.ts"
import {
  AsOperator,
  Authenticated,
  Idempotent,
  InOnlyOrganization,
  InOrganization,
  Public,
  WithDocsSession
} from "../../api/middleware.ts"
import { organization, requestId } from "../examples/samples.ts"

const text = { type: "string" }

const organizationId = {
  name: "X-Organization-Id",
  in: "header",
  schema: { type: "string", format: "uuid" },
  example: organization.id
}

/** Shared request parameters. */
export const parameters = {
  OrganizationId: { ...organizationId, required: true, description: "Organization of the call." },
  OnlyOrganizationId: {
    ...organizationId,
    required: false,
    description: "Organization of the call. Users of only one organization can leave it out."
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description:
      "A unique text for every new request, for example a UUID. A repetition with the same key within 24 hours changes nothing and gets the first answer.",
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
    example: "8f14e45f-ceea-467f-a0e6-1c1a2b3c4d5e"
  },
  RequestId: {
    name: "X-Request-Id",
    in: "header",
    required: false,
    description: "Id of this request for tracing. Parley generates one if it is missing or not valid.",
    schema: { type: "string", minLength: 8, maxLength: 128, pattern: "^[A-Za-z0-9._~:-]+$" },
    example: requestId
  }
} as const satisfies Readonly<Record<string, Parameter>>

/** Shared response headers. */
export const headers = {
  RequestId: {
    description: "Id of this request: yours, or a generated one.",
    required: true,
    schema: text,
    example: requestId
  },
  RateLimit: {
    description: "State of the tighter limit: `r` remaining calls, `t` seconds until the reset.",
    schema: text,
    example: '"default";r=5987;t=42'
  },
  RateLimitPolicy: {
    description: "The tighter limit: `q` calls in `w` seconds.",
    schema: text,
    example: '"default";q=6000;w=60'
  },
  RetryAfter: {
    description: "Seconds to wait before the next attempt.",
    schema: { type: "integer", minimum: 1 },
    example: 17
  },
  WwwAuthenticate: {
    description: "Required kind of token, and the error of the given token.",
    required: true,
    schema: text,
    example: 'Bearer realm="parley", error="invalid_token", error_description="token_expired"'
  },
  IdempotencyReplayed: {
    description: "`true` if this is the answer to an earlier request with the same Idempotency-Key.",
    schema: { type: "string", enum: ["true"] },
    example: "true"
  }
} as const satisfies Readonly<Record<string, Header>>

const point = (name: keyof typeof headers) => refTo("headers", name)

/** These statuses are not stored: the same request can succeed a moment later. */
const passing: ReadonlySet<string> = new Set(["429", "503"])

/** Requests refused before they were read do not count against limits. */
const uncounted: ReadonlySet<string> = new Set(["408", "431"])

const limited = [Public, AsOperator, Authenticated, InOrganization, InOnlyOrganization, WithDocsSession].map(
  ({ key }) => key
)

/** Properties of an answer that determine its headers. */
export interface Kind {
  readonly status: string
  /** Whether it specifies a wait. */
  readonly isRetryable: boolean
  /** Whether the endpoint itself sets it. Such headers are stored for repeated calls. */
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
