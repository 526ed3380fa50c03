import { Context, DateTime, Effect, Schema } from "effect"
import type { ContactId } from "../../../crm/index.ts"
import {
  type ActorRef,
  type Causation,
  CurrentOrganization,
  type OrganizationId,
  type Role,
  type TenantScoped,
  type Transaction,
  type UserId
} from "../../../kernel/index.ts"
import { type Lane, Lanes, organizationLane, type TaskName } from "../../../platform/background/index.ts"
import { type Availability, MemberId } from "../../../platform/identity/index.ts"
import type { Conversation } from "../Conversation.ts"
import type { ConversationId } from "../Message.ts"

const MemberIds = Schema.Array(MemberId).check(
  Schema.isBetweenLength(1, 100, { message: "Expected 1 to 100 members" }),
  Schema.isUnique({ message: "Expected each member once" })
)

/** Among whom a conversation is handed out by itself, and what becomes of it where nobody is free. */
export const AutoAssignment = Schema.Struct({
  memberIds: Schema.NullOr(MemberIds).annotateKey({ description: "Null: anybody who may work on conversations." }),
  sticky: Schema.Boolean.annotateKey({
    description: "Whether who looked after the contact last goes before everybody else."
  }),
  whenNone: Schema.Literals(["queue", "leave"]).annotateKey({
    description: "Whether it waits for somebody to be free, for 24 hours, or stays as it is."
  })
}).annotate({ identifier: "AutoAssignment" })
export type AutoAssignment = typeof AutoAssignment.Type

/** What it has come to. Conversations that somebody looks after, or that are resolved, stay as they are. */
export type AutoAssignResult =
  | { readonly kind: "assigned"; readonly assigneeId: UserId }
  | { readonly kind: "queued" }
  | { readonly kind: "unchanged" }

/** Somebody of the team, and how much they look after. */
export interface Workload {
  readonly memberId: MemberId
  readonly userId: UserId
  readonly role: Role
  readonly availability: Availability
  /** How many open conversations they look after. */
  readonly open: number
  /** When they were handed a conversation last; `null` if they never were. */
  readonly handedAt: DateTime.Utc | null
}

/** How much everybody looks after. */
export class Workloads extends Context.Service<
  Workloads,
  TenantScoped<{
    /** Of all who have joined and may log in, in no order. */
    readonly all: () => Effect.Effect<ReadonlyArray<Workload>>
    /** Who looks after the conversation with the contact in which something happened last, of those that anybody looks after. */
    readonly lastOf: (contactId: ContactId) => Effect.Effect<UserId | null>
    /** Notes that they were handed a conversation. Call it once the conversation is taken: members come after those. */
    readonly handed: (userIds: ReadonlyArray<UserId>, now: DateTime.Utc) => Effect.Effect<void, never, Transaction>
    /** Forgets when this user was handed a conversation. */
    readonly forget: (userId: UserId) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/messaging/inbox/Workloads") {}

/** What handing out conversations is called among the works. */
export const assignmentTaskName: TaskName = "assignments"

/** Each organization has one lane: whoever waits for a member gets one in their order. */
export const assignmentsLane = (organizationId: OrganizationId): Lane =>
  organizationLane(assignmentTaskName, organizationId)

/** A conversation that waits for a member. */
export interface QueuedConversation extends Pick<AutoAssignment, "memberIds" | "sticky"> {
  readonly conversationId: ConversationId
  /** Who has asked for it. */
  readonly by: ActorRef
  /** What that came from. */
  readonly causation: Causation | null
  /** Since when it waits for a member. */
  readonly since: DateTime.Utc
}

/** A conversation that waits for a member, and what its turn goes by. */
export interface WaitingConversation
  extends QueuedConversation, Pick<Conversation, "contactId" | "priority" | "waitingSince"> {
  /** Who looked after the contact last; `null` where nobody did, or it does not matter. */
  readonly lastAssigneeId: UserId | null
}

/** The conversations that wait for a member. They go with the conversation. */
export class AssignmentQueue extends Context.Service<
  AssignmentQueue,
  TenantScoped<{
    readonly isEmpty: () => Effect.Effect<boolean>
    /** Puts a conversation in. One that is in it already keeps since when it waits, and gets the rest anew. */
    readonly put: (queued: QueuedConversation) => Effect.Effect<void, never, Transaction>
    readonly remove: (ids: ReadonlyArray<ConversationId>) => Effect.Effect<void, never, Transaction>
    /**
     * Those that wait since later than that, are not resolved, that nobody looks after, and that any of these members may be handed:
     * in the order of `byTurn`, at most `limit`.
     */
    readonly next: (
      after: DateTime.Utc,
      memberIds: ReadonlyArray<MemberId>,
      limit: number
    ) => Effect.Effect<ReadonlyArray<WaitingConversation>>
    /** Removes those that wait since then or longer, and those that wait for nobody any more. */
    readonly expire: (until: DateTime.Utc) => Effect.Effect<void, never, Transaction>
    /** Since when the first one waits; `null` where none does. */
    readonly oldest: () => Effect.Effect<DateTime.Utc | null>
  }>
>()("@parley/domain/messaging/inbox/AssignmentQueue") {}

interface AssignmentChange {
  readonly before: Conversation
  readonly after: Conversation
}

const waitsForMember = ({ assigneeId, status }: Conversation) => assigneeId === null && status !== "resolved"

/** Notes who was handed conversations, and lets none wait for a member that has one, or needs none any more. */
export const recordAssignments = Effect.fnUntraced(function* (changes: ReadonlyArray<AssignmentChange>) {
  const settled = changes.filter(({ after, before }) => waitsForMember(before) && !waitsForMember(after))
  if (settled.length > 0) yield* (yield* AssignmentQueue).remove(settled.map(({ after }) => after.id))
  const handed = changes.flatMap(({ after, before }) =>
    after.assigneeId === before.assigneeId ? [] : (after.assigneeId ?? [])
  )
  if (handed.length > 0) yield* (yield* Workloads).handed([...new Set(handed)], yield* DateTime.now)
})

/** Has somebody hand out what waits for a member, if anything does. */
export const scheduleAssignments = Effect.gen(function* () {
  if (yield* (yield* AssignmentQueue).isEmpty()) return
  const { id } = yield* CurrentOrganization
  yield* (yield* Lanes).open({ ...assignmentsLane(id), priority: "person", dueAt: yield* DateTime.now })
})
