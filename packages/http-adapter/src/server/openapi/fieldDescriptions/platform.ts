import type { FieldDescriptions } from "./FieldDescriptions.ts"

/** Descriptions of the fields of `platform`, by component, operation or event, and path. */
export const platformFields: FieldDescriptions = {
  refreshSession: { refreshToken: "Current refresh token of the session; it works once." },
  acceptInvitation: {
    user: "User who accepted the invitation.",
    member: "Membership of the user in the organization."
  },
  updateMe: { name: "New name of the user; an absent name stays unchanged." },
  changePassword: {
    currentPassword: "Current password of the user.",
    newPassword: "New password, 8 to 256 characters; common passwords are refused."
  },
  changeMemberRole: { role: "New role of the member; only an owner can add or change an `owner`." },
  exchangeDocsCode: { code: "One-time code from `POST /docs/handoff`." },
  "job.started": { "data.kind": "Kind of the job, for example `contacts.import`." },
  "job.finished": {
    "data.kind": "Kind of the job, for example `contacts.import`.",
    "data.state": "Final state of the job."
  },
  "member.invited": { "data.role": "Role that the person gets with the acceptance of the invitation." },
  "member.joined": { "data.role": "Role of the new member." },
  "member.role_changed": {
    "data.from": "Role before the change.",
    "data.to": "Role after the change."
  },
  "organization.plan_changed": {
    "data.from": "Plan before the change.",
    "data.to": "Plan after the change."
  },
  "organization.status_changed": {
    "data.from": "Status before the change.",
    "data.to": "Status after the change; an organization that is `suspended` gets 403 `organization_suspended`."
  },
  AuditEvent: {
    actor: "User, automation token or other actor that made the change.",
    action: "Name of the change, for example `member.invited`.",
    target: "Changed resource.",
    requestId: "Id of the request as in `X-Request-Id`; null if no request made the change.",
    at: "Time of the change in UTC."
  },
  AuditTarget: {
    kind: "Kind of the changed resource, for example `member`.",
    id: "Id of the changed resource."
  },
  DocsHandoff: {
    code: "Code for one exchange at `POST /docs/exchange`.",
    url: "Address of the documentation site, with the code in its fragment; it works once.",
    expiresAt: "Expiry of the code in UTC, 60 seconds after its creation."
  },
  DocsSession: {
    user: "User of the docs session.",
    organization: "Organization of the docs session.",
    entitlements: "Features and limits of the organization."
  },
  DocsSessionStart: {
    sessionToken: "Token of the docs session; it opens only the documentation.",
    expiresAt: "Expiry of the docs session in UTC, 10 minutes after the exchange.",
    user: "User of the docs session.",
    organization: "Organization of the docs session."
  },
  Entitlements: {
    plan: "Plan of the organization.",
    features: "All features, and whether the plan includes them.",
    limits: "All limits with their usage."
  },
  FeatureEntitlement: {
    feature: "Name of the feature.",
    allowed: "Whether the plan of the organization includes the feature.",
    availableIn: "Plans that include the feature, smallest first."
  },
  IdempotencyAnswerWithdrawnProblem: {
    reason:
      "`permission_lost`: the caller lacks permissions of the first request. `contact_erased`: a contact of the organization was erased since the first request.",
    missing: "Permissions that the caller had at the first request and lacks now; empty for `contact_erased`."
  },
  InvitationAcceptance: {
    token: "Token of the invitation link; it works once, within 7 days.",
    name: "Name of the new user; a user with a verified account keeps the name.",
    password:
      "Password of the new account, 8 to 256 characters; an existing account with a verified mailbox needs its own password."
  },
  InvitedMember: {
    member: "Membership of the invited person, with the status `invited`.",
    invitation: "One-time link of the invitation.",
    "invitation.delivery": "`mail`: Parley mails the link to the person. `link`: the link is in this answer.",
    "invitation.expiresAt": "Expiry of the link in UTC, 7 days after the invitation.",
    "invitation.token": "Token of the link; only with the delivery `link`.",
    "invitation.url": "Address of the link; only with the delivery `link`."
  },
  AutomationToken: {
    name: "Name of the token.",
    permissions: "Permissions of the token at its issue; `effectivePermissions` has its current ones.",
    createdBy: "Id of the user who issued the token.",
    responsibleUserId: "Id of the responsible user: the issuer, until an owner adopts the token.",
    adoptedAt: "Time of the last adoption in UTC; null before the first adoption.",
    expiresAt: "Expiry of the token in UTC, at most 366 days after its issue.",
    lastUsedAt: "Time of the last use in UTC, to the minute; null before the first use.",
    revokedAt: "Time of the revocation in UTC; null if the token was not revoked.",
    status: "`active`: the token works. `suspended`: see `suspendedBecause`. `expired` and `revoked` are final.",
    suspendedBecause:
      "Reason of the suspension: the responsible user left, is disabled, or has none of the permissions; null unless `suspended`.",
    effectivePermissions: "Permissions that the token has now; empty unless it is `active`."
  },
  NewAutomationToken: { permissions: "Permissions of the token, 1 to 64; the caller must have each of them." },
  IssuedAutomationToken: { token: "Token for the `Authorization` header; it is in this answer only." },
  Job: {
    kind: "Kind of the work, for example `contacts.import`.",
    state: "State of the job; `succeeded`, `failed` and `cancelled` are final.",
    progress: "Finished and total work.",
    error: "Reason of the failure for people; null if the job did not fail.",
    resultUrl: "Path of the result; null before the end, and for jobs without a result.",
    cancelRequested: "Whether a cancellation is requested; a running job stops before its next step.",
    createdBy: "User, automation token or other actor that requested the job.",
    startedAt: "Start of the work in UTC; null if the job has not started.",
    finishedAt: "End of the job in UTC; null before the end."
  },
  JobProgress: {
    done: "Finished work in the unit of the job, for example contacts, or bytes of a file.",
    total: "Total work in the same unit; null while unknown."
  },
  JsonWebKey: {
    kty: "Key type, `OKP`.",
    crv: "Curve of the key, `Ed25519`.",
    x: "Public key in base64url.",
    kid: "Id of the key, as in the header of the tokens that it signed.",
    alg: "Algorithm of the signatures, `EdDSA`.",
    use: "Use of the key: `sig`, for signatures."
  },
  JsonWebKeySet: { keys: "Public keys that verify the tokens of Parley." },
  LimitEntitlement: {
    limit: "Name of the limit.",
    allowed: "Whether there is room for one more.",
    used: "Current usage; of `broadcastRecipientsPerMonth`, the usage in the current month in UTC.",
    max: "Maximum in the plan of the organization.",
    resetsAt: "Next reset of the usage in UTC; null if the usage does not reset.",
    plans: "Maximum in each plan.",
    "plans.free": "Maximum in the plan `free`.",
    "plans.growth": "Maximum in the plan `growth`.",
    "plans.scale": "Maximum in the plan `scale`."
  },
  LoginAnswer: {
    accessToken: "Token for the `Authorization` header, valid for 15 minutes.",
    tokenType: "Scheme of the `Authorization` header, always `Bearer`.",
    expiresIn: "Lifetime of the access token in seconds.",
    expiresAt: "Expiry of the access token in UTC.",
    refreshToken: "Token for one exchange at `POST /auth/refresh`, within 30 days after the login.",
    user: "User who logged in.",
    organizations: "Active organizations of the user, by name; at most 100.",
    "organizations.id": "Id of the organization, for the header `X-Organization-Id`.",
    "organizations.name": "Name of the organization.",
    "organizations.role": "Role of the user in the organization.",
    deviceToken:
      "Token for later logins from this device, for 90 days or until the password changes; it grants no access."
  },
  LoginOverloadedProblem: {
    retryAfterSeconds: "Seconds to wait before the next attempt; the password was not checked."
  },
  LoginRequest: {
    password: "Password of the account.",
    organizationId: "Organization that the user must belong to; otherwise the answer is 403 `organization_forbidden`.",
    deviceToken: "`deviceToken` of an earlier login on this device; an expired one is ignored."
  },
  LoginThrottledProblem: { retryAfterSeconds: "Seconds to wait before the next login." },
  MailThrottledProblem: { retryAfterSeconds: "Seconds to wait before the next mail." },
  Me: {
    user: "The signed-in user; for an automation token, its responsible user.",
    organization: "Organization of the call.",
    membership: "Role and permissions of the caller.",
    "membership.role": "Role of the user; null if the caller is an automation token.",
    "membership.permissions": "Current permissions of the caller.",
    entitlements: "Plan of the organization with its features and limits.",
    "entitlements.plan": "Plan of the organization.",
    "entitlements.features": "All features, and whether the plan includes them.",
    "entitlements.features.automations": "Whether the plan includes automations.",
    "entitlements.features.workflows": "Whether the plan includes workflows.",
    "entitlements.features.plugins": "Whether the plan includes plugins.",
    "entitlements.limits": "All limits with their usage.",
    "entitlements.limits.seats": "Limit of seats, which members and open invitations use.",
    "entitlements.limits.seats.max": "Maximum in the plan of the organization.",
    "entitlements.limits.seats.used": "Current usage.",
    "entitlements.limits.contacts": "Limit of contacts.",
    "entitlements.limits.contacts.max": "Maximum in the plan of the organization.",
    "entitlements.limits.contacts.used": "Current usage.",
    "entitlements.limits.chatAccounts": "Limit of chat accounts.",
    "entitlements.limits.chatAccounts.max": "Maximum in the plan of the organization.",
    "entitlements.limits.chatAccounts.used": "Current usage.",
    "entitlements.limits.storeConnections": "Limit of store connections, except uninstalled ones.",
    "entitlements.limits.storeConnections.max": "Maximum in the plan of the organization.",
    "entitlements.limits.storeConnections.used": "Current usage.",
    "entitlements.limits.webhookSubscriptions": "Limit of webhook subscriptions.",
    "entitlements.limits.webhookSubscriptions.max": "Maximum in the plan of the organization.",
    "entitlements.limits.webhookSubscriptions.used": "Current usage.",
    "entitlements.limits.plugins": "Limit of installed plugins.",
    "entitlements.limits.plugins.max": "Maximum in the plan of the organization.",
    "entitlements.limits.plugins.used": "Current usage.",
    "entitlements.limits.automations": "Limit of automations.",
    "entitlements.limits.automations.max": "Maximum in the plan of the organization.",
    "entitlements.limits.automations.used": "Current usage.",
    "entitlements.limits.workflows": "Limit of workflows.",
    "entitlements.limits.workflows.max": "Maximum in the plan of the organization.",
    "entitlements.limits.workflows.used": "Current usage.",
    "entitlements.limits.broadcastRecipientsPerMonth": "Limit of broadcast recipients in the current month in UTC.",
    "entitlements.limits.broadcastRecipientsPerMonth.max": "Maximum in the plan of the organization.",
    "entitlements.limits.broadcastRecipientsPerMonth.used": "Usage in the current month."
  },
  Member: {
    userId: "Id of the user; null until the invitation is accepted.",
    email: "Email address of the person.",
    name: "Name of the person; null until the invitation is accepted.",
    role: "Role of the member, which decides the permissions.",
    status: "`invited` until the invitation is accepted, then `active`; both use a seat.",
    invitedAt: "Time of the invitation in UTC.",
    joinedAt: "Time of the acceptance in UTC; null until then."
  },
  NewMember: { delivery: "`mail`: Parley mails the link. `link`: the link is in the answer. Default: `mail`." },
  MyOrganization: {
    slug: "Short unique name of the organization.",
    name: "Name of the organization.",
    plan: "Plan of the organization.",
    status: "Always `active`, because suspended organizations are not listed."
  },
  NameTakenProblem: {
    resource: "Kind of the resource with this name, for example `tag`.",
    id: "Id of the resource with this name."
  },
  NewPasswordByLink: {
    token: "Token of the password reset link; it works once.",
    password: "New password, 8 to 256 characters; common passwords are refused."
  },
  NotFoundProblem: {
    resource: "Kind of the missing resource, for example `contact`.",
    by: "Key of the lookup, if it was not the id: `name`, or for templates `name and language`."
  },
  Organization: {
    name: "Name of the organization.",
    slug: "Short unique name of the organization.",
    plan: "Plan of the organization, which decides its features and limits.",
    status: "Status; members and tokens of a `suspended` organization get 403 `organization_suspended`."
  },
  PayloadTooLargeProblem: { max: "Maximum size of the body in bytes." },
  PermissionDeniedProblem: {
    permission:
      "Missing permission; `user` if only a signed-in user can make the call, `operator` if only an operator can.",
    alternative: "Another permission that is enough; absent if only `permission` is."
  },
  PlanLimitReachedProblem: {
    limit: "Name of the limit.",
    current: "Current usage.",
    max: "Maximum in the plan of the organization."
  },
  RateLimitedProblem: { retryAfterSeconds: "Seconds to wait before the next request." },
  Readiness: { status: "Always `ok`: the database is reachable and the process is not stopping." },
  ScopeDeniedProblem: { scope: "Scope that the operator token does not have." },
  ServiceUnavailableProblem: {
    retryAfterSeconds: "Seconds to wait before the next attempt.",
    outcomeUnknown:
      "Whether the change may be stored: check before you repeat the request. If false, nothing was changed."
  },
  TokenRevokedProblem: {
    reason: "Reason of a suspended automation token: its responsible user left or is disabled; absent for other tokens."
  },
  Tokens: {
    accessToken: "Token for the `Authorization` header, valid for 15 minutes.",
    tokenType: "Scheme of the `Authorization` header, always `Bearer`.",
    expiresIn: "Lifetime of the access token in seconds.",
    expiresAt: "Expiry of the access token in UTC.",
    refreshToken: "Token for one exchange at `POST /auth/refresh`, within 30 days after the login."
  },
  UnsupportedMediaTypeProblem: { accepted: "Media types that the endpoint accepts." },
  User: {
    email: "Email address, which identifies the user at the login.",
    name: "Name of the user.",
    avatarUrl: "Address of the picture of the user; null without a picture.",
    status: "Status; a user whom an operator `disabled` cannot log in.",
    emailVerifiedAt: "Time of the verification of the mailbox in UTC; null while it is not verified."
  },
  ValidationFailedProblem: { errors: "All errors of the request with their places." },
  VersionConflictProblem: { current: "Current version of the resource." }
}
