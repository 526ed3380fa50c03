import { Context, type DateTime, Effect } from "effect"
import type {
  AutomationTokenId,
  OrganizationId,
  Permission,
  PlanName,
  PluginId,
  Role,
  SessionId,
  UserId
} from "../../kernel/index.ts"
import type { ResponsibleMember } from "./AutomationToken.ts"
import type { InvitationDelivery, MemberId } from "./Member.ts"
import type { Organization, OrganizationStatus } from "./Organization.ts"
import type { UserStatus } from "./User.ts"
import { OrganizationForbidden, OrganizationHeaderMissing } from "./errors.ts"

/** An organization of a user, with the role in it. */
export interface Affiliation {
  readonly organization: Organization
  readonly role: Role
}

/** Current access of a session. `membership` belongs to the requested organization. */
export interface SessionAccess {
  readonly userId: UserId
  readonly userStatus: UserStatus
  readonly live: boolean
  /** The session can only change the password. */
  readonly mustChangePassword: boolean
  readonly membership: { readonly role: Role; readonly organizationStatus: OrganizationStatus } | null
}

/** Current access of an automation token with a responsible person. */
export interface PersonTokenAccess {
  readonly heldBy: "person"
  readonly organizationId: OrganizationId
  readonly organizationStatus: OrganizationStatus
  readonly responsibleUserId: UserId
  readonly responsible: ResponsibleMember
  /** Permissions at issue. The effective ones are limited to the current permissions of the responsible person. */
  readonly permissions: ReadonlyArray<Permission>
  readonly live: boolean
}

/** Current access of a plugin token: the granted permissions, while the plan includes plugins. */
export interface PluginTokenAccess {
  readonly heldBy: "plugin"
  readonly pluginId: PluginId
  readonly organizationId: OrganizationId
  readonly organizationStatus: OrganizationStatus
  readonly plan: PlanName
  readonly permissions: ReadonlyArray<Permission>
  readonly live: boolean
}

export type TokenAccess = PersonTokenAccess | PluginTokenAccess

/** Invitation that can still be accepted. */
export interface OpenInvitation {
  readonly organizationId: OrganizationId
  readonly memberId: MemberId
  readonly email: string
  /** The token of a mailed invitation proves the mailbox. */
  readonly delivery: InvitationDelivery
  /** Person who is responsible for it; `null` for an operator. */
  readonly invitedBy: UserId | null
}

/**
 * Finds the access of a caller before the tenant is known. A result may be up to half a second old. A change takes effect on every node within that
 * time, and immediately on the node that made it.
 */
export class Accounts extends Context.Service<
  Accounts,
  {
    /** The active organizations with an active membership of the user, by name; at most 100. */
    readonly affiliations: (userId: UserId) => Effect.Effect<ReadonlyArray<Affiliation>>
    readonly sessionAccess: (
      sessionId: SessionId,
      organizationId: OrganizationId | null,
      now: DateTime.Utc
    ) => Effect.Effect<SessionAccess | null>
    readonly tokenAccess: (tokenId: AutomationTokenId, now: DateTime.Utc) => Effect.Effect<TokenAccess | null>
    /** Only for an organization that is not suspended. */
    readonly openInvitation: (digest: string, now: DateTime.Utc) => Effect.Effect<OpenInvitation | null>
  }
>()("@parley/domain/platform/identity/Accounts") {}

/** Returns the organization of a user without an organization header: the only one of the service. */
export const resolveOnlyOrganization = Effect.fnUntraced(function* (
  userId: Parameters<Accounts["Service"]["affiliations"]>[0]
) {
  const affiliations = yield* (yield* Accounts).affiliations(userId)
  const [only, another] = affiliations
  if (only === undefined) return yield* new OrganizationForbidden()
  if (another !== undefined) return yield* new OrganizationHeaderMissing()
  return only.organization.id satisfies OrganizationId
})

/** Organizations of a user. Their names are not valid passwords. */
export const loadUserOrganizations = Effect.fnUntraced(function* (id: UserId) {
  const affiliations = yield* (yield* Accounts).affiliations(id)
  return affiliations.map(({ organization }) => organization)
})
