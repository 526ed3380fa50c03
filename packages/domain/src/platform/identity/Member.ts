import { Context, DateTime, Effect, Layer, Schema } from "effect"
import {
  type NotFound,
  Role,
  type Slice,
  type Tenancy,
  type TenantScoped,
  Timestamp,
  type Transaction,
  UserId,
  Uuid,
  type VersionConflict,
  withContext
} from "../../kernel/index.ts"
import { EmailAddress, EmailAddressInput, SingleLineText } from "./Text.ts"
import type { MemberExists } from "./errors.ts"

export const MemberId = Uuid.pipe(Schema.brand("MemberId"))
export type MemberId = typeof MemberId.Type

/** Invited until the invitation is accepted, then active. Both take a seat. */
export const MemberStatus = Schema.Literals(["invited", "active"])
export type MemberStatus = typeof MemberStatus.Type

/** A person's place in an organization. `userId` and `name` are `null` until the invitation is accepted. */
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

/** How an invitation gets to the person: by a mail to them, or as a link that whoever invites hands over. */
export const InvitationDelivery = Schema.Literals(["mail", "link"])
export type InvitationDelivery = typeof InvitationDelivery.Type

/** Whom to invite, and how: by mail if it is not said. */
export const NewMember = Schema.Struct({
  email: EmailAddressInput,
  role: Role,
  delivery: Schema.optionalKey(InvitationDelivery)
}).annotate({ identifier: "NewMember" })
export type NewMember = typeof NewMember.Type

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

/** What an area gives members to look after, and what becomes of it when they cannot any more. */
export interface MemberResponsibility<R> {
  /**
   * Unassigns everything that is assigned to this user, and appends the events. Whoever hands something to them at the same time
   * has locked the member first, so that nothing is missed once the member has changed in this unit of work.
   */
  readonly release: (userId: UserId, now: DateTime.Utc) => Effect.Effect<void, never, R>
}

/** What members look after, in all areas. */
export class MemberResponsibilities extends Context.Service<
  MemberResponsibilities,
  TenantScoped<{
    /** Leaves everything that this user looks after to nobody. */
    readonly release: (userId: UserId, now: DateTime.Utc) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/platform/identity/MemberResponsibilities") {}

type Needs<A> = A extends MemberResponsibility<infer R> ? Exclude<R, Tenancy | Transaction> : never

/** Puts together what the areas give members to look after. */
export const layerMemberResponsibilitiesOf = <A extends MemberResponsibility<unknown>>(
  assignments: ReadonlyArray<A>
): Layer.Layer<MemberResponsibilities, never, Needs<A>> =>
  Layer.effect(
    MemberResponsibilities,
    Effect.contextWith((outside: Context.Context<Needs<A>>) => {
      const supply = withContext<Tenancy | Transaction>(outside)
      return Effect.succeed(
        MemberResponsibilities.of({
          release: (userId, now) =>
            Effect.forEach(assignments, ({ release }) => supply(release(userId, now)), { discard: true })
        })
      )
    })
  )

/** Unassigns everything from the member. Call it after the member was removed or changed role. */
export const releaseMemberResponsibilities = Effect.fnUntraced(function* ({ userId }: Member) {
  if (userId !== null) yield* (yield* MemberResponsibilities).release(userId, yield* DateTime.now)
})
