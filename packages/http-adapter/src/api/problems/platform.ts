import * as Platform from "@parley/domain/platform"
import { problem } from "../problem.ts"

export const OrganizationHeaderMissing = problem(
  Platform.OrganizationHeaderMissing,
  400,
  "X-Organization-Id is missing"
)
export const OrganizationHeaderInvalid = problem(
  Platform.OrganizationHeaderInvalid,
  400,
  "X-Organization-Id is not an id"
)
export const DocsCodeInvalid = problem(Platform.DocsCodeInvalid, 400, "The code is not valid")
export const InvitationInvalid = problem(Platform.InvitationInvalid, 400, "The invitation is not valid")
export const PasswordResetInvalid = problem(Platform.PasswordResetInvalid, 400, "The password reset link is not valid")
export const Unauthenticated = problem(Platform.Unauthenticated, 401, "An access token is required")
export const InvalidCredentials = problem(Platform.InvalidCredentials, 401, "The credentials are wrong")
export const TokenInvalid = problem(Platform.TokenInvalid, 401, "The token is not valid")
export const TokenExpired = problem(Platform.TokenExpired, 401, "The token has expired")
export const TokenRevoked = problem(Platform.TokenRevoked, 401, "The token has been revoked")
export const SessionReuseDetected = problem(Platform.SessionReuseDetected, 401, "The refresh token was already used")
export const AddressNotAllowed = problem(Platform.AddressNotAllowed, 403, "The address is not allowed")
export const PasswordChangeRequired = problem(Platform.PasswordChangeRequired, 403, "The password must be changed")
export const PlanLimitReached = problem(Platform.PlanLimitReached, 403, "The plan limit is reached")
export const OrganizationForbidden = problem(Platform.OrganizationForbidden, 403, "No access to the organization")
export const OrganizationSuspended = problem(Platform.OrganizationSuspended, 403, "The organization is suspended")
export const RefreshSuperseded = problem(Platform.RefreshSuperseded, 409, "Another call refreshed the session")
export const MemberExists = problem(Platform.MemberExists, 409, "The member already exists")
export const AutomationTokenInactive = problem(
  Platform.AutomationTokenInactive,
  409,
  "The automation token is not active"
)
export const EmailNotConfigured = problem(Platform.EmailNotConfigured, 409, "Email is not configured")
export const LastOwner = problem(Platform.LastOwner, 409, "The organization needs an owner")
export const MailThrottled = problem(Platform.MailThrottled, 429, "Too many emails")
export const LoginThrottled = problem(Platform.LoginThrottled, 429, "Too many failed logins")
export const LoginOverloaded = problem(Platform.LoginOverloaded, 503, "Too many concurrent logins")

export const platformProblems = {
  OrganizationHeaderMissing,
  OrganizationHeaderInvalid,
  DocsCodeInvalid,
  InvitationInvalid,
  PasswordResetInvalid,
  Unauthenticated,
  InvalidCredentials,
  TokenInvalid,
  TokenExpired,
  TokenRevoked,
  SessionReuseDetected,
  AddressNotAllowed,
  PasswordChangeRequired,
  PlanLimitReached,
  OrganizationForbidden,
  OrganizationSuspended,
  RefreshSuperseded,
  MemberExists,
  AutomationTokenInactive,
  EmailNotConfigured,
  LastOwner,
  MailThrottled,
  LoginThrottled,
  LoginOverloaded
}
