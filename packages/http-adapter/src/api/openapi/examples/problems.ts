import * as Domain from "@parley/domain"
import * as Edge from "../../problems.ts"
import { automation, organization, owner } from "./samples.ts"

type Samples = { readonly [Tag in keyof typeof Edge.problems]: (typeof Edge.problems)[Tag]["Type"] }

/** One of every error. An error without an example does not compile. */
export const problems: Samples = {
  CursorInvalid: new Domain.CursorInvalid(),
  DocsCodeInvalid: new Domain.DocsCodeInvalid(),
  FeatureNotInPlan: new Domain.FeatureNotInPlan({
    feature: "automations",
    plan: "free",
    availableIn: Domain.plansWith("automations")
  }),
  IdempotencyKeyInProgress: new Domain.IdempotencyKeyInProgress(),
  IdempotencyKeyInvalid: new Edge.IdempotencyKeyInvalid(),
  IdempotencyKeyReused: new Domain.IdempotencyKeyReused(),
  InternalError: new Edge.InternalError(),
  InvalidCredentials: new Domain.InvalidCredentials(),
  InvitationInvalid: new Domain.InvitationInvalid(),
  LastOwner: new Domain.LastOwner(),
  LoginBusy: new Domain.LoginBusy({ retryAfterSeconds: 2 }),
  LoginThrottled: new Domain.LoginThrottled({ retryAfterSeconds: 540 }),
  MemberExists: new Domain.MemberExists({ memberId: owner.id }),
  MethodNotAllowed: new Edge.MethodNotAllowed({ allowed: ["GET", "HEAD", "POST"] }),
  NotFound: new Domain.NotFound({ resource: "automation" }),
  OrganizationForbidden: new Domain.OrganizationForbidden(),
  OrganizationHeaderInvalid: new Domain.OrganizationHeaderInvalid(),
  OrganizationHeaderMissing: new Domain.OrganizationHeaderMissing(),
  OrganizationSuspended: new Domain.OrganizationSuspended(),
  PathNotFound: new Edge.PathNotFound(),
  PayloadTooLarge: new Edge.PayloadTooLarge({ max: 1024 * 1024 }),
  PermissionDenied: new Domain.PermissionDenied({ permission: "members.manage" }),
  PlanLimitReached: new Domain.PlanLimitReached({
    limit: "seats",
    current: Domain.plans[organization.plan].limits.seats,
    max: Domain.plans[organization.plan].limits.seats
  }),
  RateLimited: new Edge.RateLimited({ retryAfterSeconds: 17 }),
  RefreshSuperseded: new Domain.RefreshSuperseded(),
  ServiceUnavailable: new Edge.ServiceUnavailable(),
  SessionReuseDetected: new Domain.SessionReuseDetected(),
  TokenExpired: new Domain.TokenExpired(),
  TokenInvalid: new Domain.TokenInvalid(),
  TokenRevoked: new Domain.TokenRevoked(),
  Unauthenticated: new Domain.Unauthenticated(),
  UnsupportedMediaType: new Edge.UnsupportedMediaType(),
  ValidationFailed: new Domain.ValidationFailed({
    errors: [
      { pointer: "/name", message: "Expected a name" },
      { pointer: "/role", message: 'Expected "owner" | "admin" | "agent" | "viewer"' }
    ]
  }),
  VersionConflict: new Domain.VersionConflict({ current: automation.version + 1 })
}
