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

/** One of the organizations of a user, and the role there. */
export interface Affiliation {
  readonly organization: Organization
  readonly role: Role
}

/** What a session gives access to right now. `membership` is of the organization that was asked for. */
export interface SessionAccess {
  readonly userId: UserId
  readonly userStatus: UserStatus
  readonly live: boolean
  /** The session can only change the password. */
  readonly mustChangePassword: boolean
  readonly membership: { readonly role: Role; readonly organizationStatus: OrganizationStatus } | null
}

/** What an automation token that a person answers for gives access to right now. */
export interface PersonTokenAccess {
  readonly heldBy: "person"
  readonly organizationId: OrganizationId
  readonly organizationStatus: OrganizationStatus
  readonly responsibleUserId: UserId
  readonly responsible: ResponsibleMember
  /** What it was issued with. What it may do is that, as far as the responsible person may do it now. */
  readonly permissions: ReadonlyArray<Permission>
  readonly live: boolean
}

/** What the token of a plugin gives access to right now: what the plugin was granted, while the plan has plugins. */
export interface PluginTokenAccess {
  readonly heldBy: "plugin"
  readonly pluginId: PluginId
  readonly organizationId: OrganizationId
  readonly organizationStatus: OrganizationStatus
  readonly plan: PlanName
  readonly permissions: ReadonlyArray<Permission>
  readonly live: boolean
}

/** What an automation token gives access to right now. */
export type TokenAccess = PersonTokenAccess | PluginTokenAccess

/** An invitation that can still be accepted. */
export interface OpenInvitation {
  readonly organizationId: OrganizationId
  readonly memberId: MemberId
  readonly email: string
  /** Who has the token of one that was mailed has the mailbox. */
  readonly delivery: InvitationDelivery
  /** The person who answers for it; `null` where an operator does. */
  readonly invitedBy: UserId | null
}

/**
 * Answers who has access to what, before a tenant is known. An answer may be up to half a second old: a change takes effect on
 * every node within that time, and at once on the node that made it.
 */
export class Accounts extends Context.Service<
  Accounts,
  {
    /** The active organizations in which the user is an active member, by name; at most 100. */
    readonly affiliations: (userId: UserId) => Effect.Effect<ReadonlyArray<Affiliation>>
    readonly sessionAccess: (
      sessionId: SessionId,
      organizationId: OrganizationId | null,
      now: DateTime.Utc
    ) => Effect.Effect<SessionAccess | null>
    readonly tokenAccess: (tokenId: AutomationTokenId, now: DateTime.Utc) => Effect.Effect<TokenAccess | null>
    /** Into an organization that is not suspended. */
    readonly openInvitation: (digest: string, now: DateTime.Utc) => Effect.Effect<OpenInvitation | null>
  }
>()("@parley/domain/platform/identity/Accounts") {}

/** The organization that a user without a header means: the only one there is. */
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
