import { DateTime, Effect, Schema } from "effect"
import {
  AutomationTokenId,
  noInput,
  defineArea,
  defineCredentials,
  defineEventResource,
  type Permission,
  defineEvents,
  UserId
} from "../../kernel/index.ts"
import { sweep } from "../background/index.ts"
import { Accounts } from "./Accounts.ts"
import { AutomationTokens, effectivePermissions } from "./AutomationToken.ts"
import { Availabilities } from "./Availability.ts"
import { KnownAddresses } from "./KnownAddresses.ts"
import { Members } from "./Member.ts"
import { OperatorTokens } from "./OperatorToken.ts"
import { Organization, OrganizationDirectory, Organizations } from "./Organization.ts"
import { Sessions } from "./Session.ts"
import { SigningKeys } from "./TokenSigner.ts"
import { Users } from "./User.ts"
import { IdentityEvent } from "./events.ts"
import { emailWorker } from "./emailSending.ts"
import { permissionsOfRole } from "./memberRoles.ts"
import { PasswordResets } from "./passwords/PasswordResets.ts"
import { getOrganization } from "./use-cases/organizations.ts"

const identityCredentials = defineCredentials(
  {
    name: "session",
    parent: { kind: "record", name: "user", reason: "Disabling the user or a new password revokes it." }
  },
  { name: "access token", parent: { kind: "credential", name: "session" } },
  { name: "refresh token", parent: { kind: "credential", name: "session" } },
  {
    name: "device token",
    parent: { kind: "record", name: "password", reason: "It is a digest that includes the password hash." }
  },
  {
    name: "automation token",
    parent: { kind: "record", name: "responsible member", reason: "Each call reads the member and the role." }
  },
  {
    name: "operator token",
    parent: { kind: "none", reason: "Whoever can use the database issues it; a revocation ends it." }
  },
  {
    name: "invitation link",
    parent: { kind: "record", name: "inviting member", reason: "Accepting it asks for the rights of the inviter." }
  },
  {
    name: "password reset link",
    parent: { kind: "record", name: "user", reason: "A new password withdraws it, and a disabled user cannot use it." }
  }
)

const identityStorage = [
  Accounts,
  AutomationTokens,
  Availabilities,
  KnownAddresses,
  Members,
  OperatorTokens,
  OrganizationDirectory,
  Organizations,
  PasswordResets,
  Sessions,
  SigningKeys,
  Users
] as const

/** Sends mails, and deletes expired personal data. */
export const identityTasks = [
  emailWorker,
  sweep(
    "sessions",
    Effect.flatMap(Sessions, (sessions) => sessions.sweep)
  ),
  sweep(
    "known addresses",
    Effect.flatMap(KnownAddresses, (addresses) => addresses.sweep)
  ),
  sweep(
    "password resets",
    Effect.flatMap(PasswordResets, (resets) => resets.sweep)
  )
] as const

const isUserId = Schema.is(UserId)
const isTokenId = Schema.is(AutomationTokenId)

const noPermissions: ReadonlySet<Permission> | null = null

/** Current permissions of a member; `null` after removal or disabling. Sessions do not matter: jobs continue after a logout. */
const userRequesters = {
  kind: "user",
  permissions: Effect.fnUntraced(function* (id: string) {
    if (!isUserId(id)) return noPermissions
    const member = yield* (yield* Members).findByUser(id)
    const user = member === null ? null : yield* (yield* Users).find(id)
    return member === null || user?.status !== "active" ? noPermissions : permissionsOfRole(member.role)
  })
} as const

/** Current permissions of an automation token; `null` when it is revoked or expired, or its responsible person left or is disabled. */
const tokenRequesters = {
  kind: "token",
  permissions: Effect.fnUntraced(function* (id: string) {
    if (!isTokenId(id)) return noPermissions
    const found = yield* (yield* AutomationTokens).find(id)
    if (found === null || found.token.revokedAt !== null) return noPermissions
    const { responsible, token } = found
    if (DateTime.isLessThanOrEqualTo(token.expiresAt, yield* DateTime.now)) return noPermissions
    if (responsible.role === null || responsible.status !== "active") return noPermissions
    return new Set(effectivePermissions(token.permissions, responsible))
  })
} as const

/** Members and invited persons take a seat. */
const seatUsage = {
  limit: "seats",
  lock: "members",
  count: Effect.flatMap(Members, (members) => members.count())
} as const

const identityResources = [defineEventResource("organization", getOrganization, Organization, noInput)] as const

export const identityArea = defineArea({
  name: "platform/identity",
  storage: identityStorage,
  events: defineEvents(IdentityEvent, {
    "organization.created": "organization.read",
    "organization.updated": "organization.read",
    "organization.plan_changed": "organization.read",
    "organization.status_changed": "organization.read",
    "member.invited": "members.read",
    "member.joined": "members.read",
    "member.role_changed": "members.read",
    "member.removed": "members.read",
    "member.availability_changed": "members.read",
    "automation_token.issued": "tokens.manage",
    "automation_token.adopted": "tokens.manage",
    "automation_token.revoked": "tokens.manage"
  }),
  permissions: [
    "organization.read",
    "organization.manage",
    "owners.manage",
    "members.read",
    "members.manage",
    "tokens.manage"
  ],
  backgroundTasks: identityTasks,
  limitUses: [seatUsage],
  requesters: [userRequesters, tokenRequesters],
  credentials: identityCredentials,
  eventResources: identityResources
})
