export {
  Accounts,
  type Affiliation,
  onlyOrganization,
  type OpenInvitation,
  type PersonTokenAccess,
  type PluginTokenAccess,
  type SessionAccess,
  type TokenAccess
} from "./Accounts.ts"
export {
  type Admission,
  type AdmissionPurpose,
  admit,
  admitToDocs,
  type DocsReader,
  isStillAdmitted,
  platform,
  requireOrganization,
  userActor
} from "./admission.ts"
export * from "./AutomationToken.ts"
export { Availabilities, Availability, AvailabilityInput, AvailabilityStatus } from "./Availability.ts"
export * from "./errors.ts"
export { IdentityEvent } from "./events.ts"
export { KnownAddresses, knownAddressLife, knownAddressSlots, unknownAddress } from "./KnownAddresses.ts"
export type { OneTimeLink } from "./mailLetters.ts"
export { sendMails } from "./mailSending.ts"
export {
  type Assignment,
  Assignments,
  InvitationDelivery,
  type InvitationRecord,
  layerAssignmentsOf,
  Member,
  MemberId,
  Members,
  MemberStatus,
  NewMember
} from "./Member.ts"
export { permissionsOfRole } from "./memberRoles.ts"
export { identityWorks } from "./module.ts"
export * from "./Organization.ts"
export {
  type CheckedPassword,
  IsKnownCaller,
  PasswordHasher,
  PasswordPolicy,
  type Verdict
} from "./passwords/PasswordHasher.ts"
export { PasswordResets } from "./passwords/PasswordResets.ts"
export { passwordLength } from "./passwords/passwordRules.ts"
export {
  accessTokenLife,
  refreshGrace,
  type Rotation,
  Session,
  sessionLife,
  Sessions,
  type TokenPair
} from "./Session.ts"
export * from "./Text.ts"
export * from "./TokenSigner.ts"
export * from "./use-cases/automationTokens.ts"
export * from "./use-cases/invitations.ts"
export * from "./use-cases/members.ts"
export * from "./use-cases/organizations.ts"
export * from "./use-cases/passwords.ts"
export * from "./use-cases/sessions.ts"
export * from "./use-cases/users.ts"
export {
  type Credentials,
  currentUserActor,
  NewPassword,
  type NewPasswordHash,
  TriedPassword,
  User,
  Users,
  type UserSlice,
  UserStatus
} from "./User.ts"
