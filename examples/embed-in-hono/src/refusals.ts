import { Predicate } from "effect"
import type { ContentfulStatusCode } from "hono/utils/http-status"

/** Error answers of this shop: a code, a sentence, and a status for its own clients. */
export interface Refusal {
  readonly status: ContentfulStatusCode
  readonly body: { readonly no: string; readonly because: string }
}

const statuses: Readonly<Record<string, ContentfulStatusCode>> = {
  FeatureNotInPlan: 402,
  InvalidCredentials: 401,
  LoginThrottled: 429,
  NotFound: 404,
  OrganizationForbidden: 404,
  PermissionDenied: 403,
  PlanLimitReached: 402,
  SchemaError: 422,
  TokenExpired: 401,
  TokenInvalid: 401,
  TokenRevoked: 401,
  Unauthenticated: 401,
  VersionConflict: 409
}

/** A domain error in the shop's terms. Another user's shop and a missing shop look the same here. */
export const refusalOf = (error: { readonly _tag: string; readonly message: string }): Refusal => ({
  status: statuses[error._tag] ?? 400,
  body: Predicate.isTagged(error, "OrganizationForbidden")
    ? { no: "NotFound", because: "There is no shop with this id in this organization." }
    : { no: error._tag, because: error.message }
})
