import { Context, DateTime, Effect, Layer, Schema } from "effect"
import {
  type NotFound,
  Role,
  type Slice,
  type TenantScoped,
  Timestamp,
  type Transaction,
  UserId,
  Uuid,
  type VersionConflict
} from "../../kernel/index.ts"
import { EmailAddress, EmailAddressInput, SingleLineText } from "./Text.ts"
import type { MemberExists } from "./errors.ts"

export const MemberId = Uuid.pipe(Schema.brand("MemberId"))
export type MemberId = typeof MemberId.Type

/** Invited until the invitation is accepted, then active. Both take a seat. */
export const MemberStatus = Schema.Literals(["invited", "active"])
export type MemberStatus = typeof MemberStatus.Type

/** Membership of a person in an organization. `userId` and `name` are `null` until the invitation is accepted. */
export class Member extends Schema.Class<Member>("Member")({
  id: MemberId,
  userId: Schema.NullOr(UserId),
  email: EmailAddress,
  name: Schema.NullOr(SingleLineText),
  role: Role,
  status: MemberStatus,
  invitedAt: Timestamp,
  joinedAt: Schema.NullOr(Timestamp),
  version: Schema.Int
}) {}

/** Delivery of an invitation: by mail, or as a link from the inviter. */
export const InvitationDelivery = Schema.Literals(["mail", "link"])
export type InvitationDelivery = typeof InvitationDelivery.Type

/** Person to invite, and the delivery. Default: mail. */
export const NewMember = Schema.Struct({
  email: EmailAddressInput,
  role: Role,
  delivery: Schema.optionalKey(InvitationDelivery)
}).annotate({ identifier: "NewMember" })
export type NewMember = typeof NewMember.Type

/** Stored one-time link of an invitation. */
export interface InvitationRecord {
  readonly digest: string
  readonly expiresAt: DateTime.Utc
  readonly delivery: InvitationDelivery
  /** Person who is responsible for it; `null` for an operator. */
  readonly invitedBy: UserId | null
}

/** Members of the organization. */
export class Members extends Context.Service<
  Members,
  TenantScoped<{
    readonly get: (id: MemberId) => Effect.Effect<Member, NotFound>
    readonly findByUser: (userId: UserId) => Effect.Effect<Member | null>
    /** The members with these users, unordered. */
    readonly findByUsers: (userIds: ReadonlyArray<UserId>) => Effect.Effect<ReadonlyArray<Member>>
    /** Like `findByUser`, and locks the member until this unit of work ends. */
    readonly lockByUser: (userId: UserId) => Effect.Effect<Member | null, never, Transaction>
    /** Oldest first; the key of a row is its id. */
    readonly list: (slice: Slice) => Effect.Effect<ReadonlyArray<Member>>
    readonly count: () => Effect.Effect<number>
    /** Counts the active owners. */
    readonly countOwners: () => Effect.Effect<number>
    /** Adds a member, with an invitation for a person who has not accepted yet. */
    readonly insert: (
      member: Member,
      invitation: InvitationRecord | null
    ) => Effect.Effect<void, MemberExists, Transaction>
    /** Sets the role if the stored version equals the expected one (`null`: any version). */
    readonly setRole: (
      id: MemberId,
      role: Role,
      expected: number | null
    ) => Effect.Effect<Member, NotFound | VersionConflict, Transaction>
    /** Activates an invited member and spends the invitation. */
    readonly join: (id: MemberId, userId: UserId, now: DateTime.Utc) => Effect.Effect<Member, NotFound, Transaction>
    readonly remove: (id: MemberId) => Effect.Effect<void, NotFound, Transaction>
  }>
>()("@parley/domain/platform/identity/Members") {}

/** Resources that an area above assigns to members. */
export class MemberResponsibilities extends Context.Service<
  MemberResponsibilities,
  TenantScoped<{
    /**
     * Unassigns all resources of the user and appends the events. A concurrent assignment locks the member first. The release therefore sees every
     * assignment after a change of the member in this unit of work.
     */
    readonly release: (userId: UserId, now: DateTime.Utc) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/platform/identity/MemberResponsibilities") {
  /** Members have no assigned resources. */
  static readonly layerNone = Layer.succeed(MemberResponsibilities, { release: () => Effect.void })
}

/** Unassigns everything from the member. Call it after the member was removed or changed role. */
export const releaseMemberResponsibilities = Effect.fnUntraced(function* ({ userId }: Member) {
  if (userId !== null) yield* (yield* MemberResponsibilities).release(userId, yield* DateTime.now)
})
