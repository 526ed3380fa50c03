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

/** Candidates for the automatic assignment of a conversation, and the behavior without a free member. */
export const AutoAssignment = Schema.Struct({
  memberIds: Schema.NullOr(MemberIds).annotateKey({ description: "Null: all members who can work on conversations." }),
  sticky: Schema.Boolean.annotateKey({
    description: "Whether the last assignee of the contact is preferred."
  }),
  whenNone: Schema.Literals(["queue", "leave"]).annotateKey({
    description: "Behavior without an available member: wait for up to 24 hours, or leave the conversation unassigned."
  })
}).annotate({ identifier: "AutoAssignment" })
export type AutoAssignment = typeof AutoAssignment.Type

/** Why a member was chosen: the contact's last assignee is free, or no free member has fewer open conversations. */
export const AssignmentReason = Schema.Literals(["last_assignee", "lowest_load"])
export type AssignmentReason = typeof AssignmentReason.Type

/** Result of an automatic assignment. Conversations that are assigned or resolved stay unchanged. */
export type AutoAssignResult =
  | { readonly kind: "assigned"; readonly assigneeId: UserId; readonly because: AssignmentReason }
  | { readonly kind: "queued" }
  | { readonly kind: "unchanged" }

/** Member with the number of assigned conversations. */
export interface Workload {
  readonly memberId: MemberId
  readonly userId: UserId
  readonly role: Role
  readonly availability: Availability
  /** Number of open conversations assigned to the member. */
  readonly open: number
  /** Time of the last assignment; `null` if none happened. */
  readonly lastAssignedAt: DateTime.Utc | null
}

/** Workloads of all members. */
export class Workloads extends Context.Service<
  Workloads,
  TenantScoped<{
    /** Returns the workloads of all members who have joined and can log in, in no order. */
    readonly all: () => Effect.Effect<ReadonlyArray<Workload>>
    /** Returns the assignee of the contact's most recently active conversation that has an assignee. */
    readonly lastOf: (contactId: ContactId) => Effect.Effect<UserId | null>
    /** Records the time of the assignments. Call it after locking the conversation, because member locks follow conversation locks. */
    readonly recordAssigned: (
      userIds: ReadonlyArray<UserId>,
      now: DateTime.Utc
    ) => Effect.Effect<void, never, Transaction>
    /** Deletes the time of the user's last assignment. */
    readonly forget: (userId: UserId) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/messaging/inbox/Workloads") {}

/** Name of the background task that assigns conversations. */
export const assignmentTaskName: TaskName = "assignments"

/** One lane per organization: waiting conversations are assigned in order. */
export const assignmentsLane = (organizationId: OrganizationId): Lane =>
  organizationLane(assignmentTaskName, organizationId)

/** Conversation that waits for a member. */
export interface QueuedConversation extends Pick<AutoAssignment, "memberIds" | "sticky"> {
  readonly conversationId: ConversationId
  /** Actor that requested the assignment. */
  readonly by: ActorRef
  /** Cause of the request. */
  readonly causation: Causation | null
  /** Start of the wait for a member. */
  readonly since: DateTime.Utc
}

/** Waiting conversation with the data for its order. */
export interface WaitingConversation
  extends QueuedConversation, Pick<Conversation, "contactId" | "priority" | "waitingSince"> {
  /** Last assignee of the contact; `null` if none exists or `sticky` is off. */
  readonly lastAssigneeId: UserId | null
}

/** Conversations that wait for a member. An entry is deleted with its conversation. */
export class AssignmentQueue extends Context.Service<
  AssignmentQueue,
  TenantScoped<{
    readonly isEmpty: () => Effect.Effect<boolean>
    /** Adds a conversation. An existing entry keeps its start of the wait and is otherwise replaced. */
    readonly put: (queued: QueuedConversation) => Effect.Effect<void, never, Transaction>
    readonly remove: (ids: ReadonlyArray<ConversationId>) => Effect.Effect<void, never, Transaction>
    /**
     * Returns unresolved, unassigned conversations that started to wait after that time and accept one of these members. Sorted by `byPriorityAndWait`, at most
     * `limit`.
     */
    readonly next: (
      after: DateTime.Utc,
      memberIds: ReadonlyArray<MemberId>,
      limit: number
    ) => Effect.Effect<ReadonlyArray<WaitingConversation>>
    /** Removes entries that started to wait at or before that time, and entries that need no member any more. */
    readonly expire: (until: DateTime.Utc) => Effect.Effect<void, never, Transaction>
    /** Start of the longest wait for a member; `null` if no conversation waits. */
    readonly oldest: () => Effect.Effect<DateTime.Utc | null>
  }>
>()("@parley/domain/messaging/inbox/AssignmentQueue") {}

interface AssignmentChange {
  readonly before: Conversation
  readonly after: Conversation
}

const waitsForMember = ({ assigneeId, status }: Conversation) => assigneeId === null && status !== "resolved"

/** Records assignments, and removes queue entries of conversations that have a member or need none. */
export const recordAssignments = Effect.fnUntraced(function* (changes: ReadonlyArray<AssignmentChange>) {
  const settled = changes.filter(({ after, before }) => waitsForMember(before) && !waitsForMember(after))
  if (settled.length > 0) yield* (yield* AssignmentQueue).remove(settled.map(({ after }) => after.id))
  const assigned = changes.flatMap(({ after, before }) =>
    after.assigneeId === before.assigneeId ? [] : (after.assigneeId ?? [])
  )
  if (assigned.length > 0) yield* (yield* Workloads).recordAssigned([...new Set(assigned)], yield* DateTime.now)
})

/** Opens the lane of assignments if a conversation waits for a member. */
export const scheduleAssignments = Effect.gen(function* () {
  if (yield* (yield* AssignmentQueue).isEmpty()) return
  const { id } = yield* CurrentOrganization
  yield* (yield* Lanes).open({ ...assignmentsLane(id), priority: "person", dueAt: yield* DateTime.now })
})
