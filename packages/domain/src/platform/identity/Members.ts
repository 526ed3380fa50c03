import { Context, type DateTime, type Effect } from "effect"
import type { NotFound, Role, Slice, TenantScoped, Transaction, UserId, VersionConflict } from "../../kernel/index.ts"
import type { MemberExists } from "./Errors.ts"
import type { InvitationDelivery, Member, MemberId } from "./Member.ts"

/** The one-time link of an invitation, as it is stored. */
export interface InvitationRecord {
  readonly digest: string
  readonly expiresAt: DateTime.Utc
  readonly delivery: InvitationDelivery
  /** The person who answers for it; `null` where an operator does. */
  readonly invitedBy: UserId | null
}

/** Who belongs to the organization. */
export class Members extends Context.Service<
  Members,
  TenantScoped<{
    readonly get: (id: MemberId) => Effect.Effect<Member, NotFound>
    readonly findByUser: (userId: UserId) => Effect.Effect<Member | null>
    /** The members that these people are, in no order. */
    readonly findByUsers: (userIds: ReadonlyArray<UserId>) => Effect.Effect<ReadonlyArray<Member>>
    /** As `findByUser`; they stay who they are until this unit of work ends. */
    readonly lockByUser: (userId: UserId) => Effect.Effect<Member | null, never, Transaction>
    /** Oldest first; the key of a row is its id. */
    readonly list: (slice: Slice) => Effect.Effect<ReadonlyArray<Member>>
    readonly count: () => Effect.Effect<number>
    /** Counts the owners who have joined. */
    readonly countOwners: () => Effect.Effect<number>
    /** Adds a member; with an invitation when the person has yet to accept. */
    readonly insert: (
      member: Member,
      invitation: InvitationRecord | null
    ) => Effect.Effect<void, MemberExists, Transaction>
    /** Gives the member the role, if the version is still the expected one (`null`: whatever it is). */
    readonly setRole: (
      id: MemberId,
      role: Role,
      expected: number | null
    ) => Effect.Effect<Member, NotFound | VersionConflict, Transaction>
    /** Makes an invited member active. The invitation is spent by it. */
    readonly join: (id: MemberId, userId: UserId, now: DateTime.Utc) => Effect.Effect<Member, NotFound, Transaction>
    readonly remove: (id: MemberId) => Effect.Effect<void, NotFound, Transaction>
  }>
>()("@parley/domain/platform/identity/Members") {}
