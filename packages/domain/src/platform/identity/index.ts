export {
  Accounts,
  type Affiliation,
  resolveOnlyOrganization,
  type OpenInvitation,
  type PersonTokenAccess,
  type PluginTokenAccess,
  type SessionAccess,
  type TokenAccess
} from "./Accounts.ts"
export {
  type AuthorizedCaller,
  type AuthorizationPurpose,
  authorize,
  authorizeDocsReader,
  authorizeOperator,
  type DocsReader,
  isStillAuthorized,
  platformOrganizationId,
  recordPlatformAudit,
  requireOrganization,
  userActor
} from "./authorization.ts"
export * from "./AutomationToken.ts"
export { Availabilities, Availability, AvailabilityInput, AvailabilityStatus } from "./Availability.ts"
export * from "./errors.ts"
export { IdentityEvent } from "./events.ts"
export { KnownAddresses, knownAddressLifetime, maxKnownAddresses, unknownAddress } from "./KnownAddresses.ts"
export type { OneTimeLink } from "./emailTemplates.ts"
export { sendDueEmails } from "./emailSending.ts"
export {
  MemberResponsibilities,
  InvitationDelivery,
  type InvitationRecord,
  Member,
  MemberId,
  Members,
  MemberStatus,
  NewMember
} from "./Member.ts"
export { permissionsOfRole } from "./memberRoles.ts"
export { identityTasks } from "./module.ts"
export * from "./OperatorToken.ts"
export * from "./Organization.ts"
export {
  type CheckedPassword,
  IsKnownCaller,
  PasswordHasher,
  PasswordPolicy,
  type PasswordCheck
} from "./passwords/PasswordHasher.ts"
export { PasswordResets } from "./passwords/PasswordResets.ts"
export { passwordLength } from "./passwords/passwordRules.ts"
export {
  accessTokenLifetime,
  refreshGracePeriod,
  type RefreshRotation,
  Session,
  sessionLifetime,
  Sessions,
  type TokenPair
} from "./Session.ts"
export * from "./Text.ts"
export * from "./TokenSigner.ts"
export * from "./use-cases/automationTokens.ts"
export * from "./use-cases/invitations.ts"
export * from "./use-cases/members.ts"
export * from "./use-cases/operatorTokens.ts"
export * from "./use-cases/platformAudit.ts"
export * from "./use-cases/organizations.ts"
export * from "./use-cases/passwords.ts"
export * from "./use-cases/sessions.ts"
export * from "./use-cases/users.ts"
export {
  type Credentials,
  currentUserActor,
  NewPassword,
  type NewPasswordHash,
  PasswordInput,
  User,
  Users,
  type UserSlice,
  UserStatus
} from "./User.ts"
