import { DateTime, Effect } from "effect"
import {
  CurrentActor,
  CurrentCausation,
  CurrentOrganization,
  Locks,
  toActorRef,
  type UserId
} from "../../../kernel/index.ts"
import { Lanes } from "../../../platform/background/index.ts"
import { Members, permissionsOfRole } from "../../../platform/identity/index.ts"
import type { Conversation } from "../Conversation.ts"
import { Conversations } from "../Conversations.ts"
import type { ConversationId } from "../Message.ts"
import { saveConversationChanges, lockConversation } from "../conversationChanges.ts"
import { withAssignee } from "../conversationStates.ts"
import { prioritiesByUrgency } from "../conversationViews.ts"
import {
  AssignmentQueue,
  type AssignmentReason,
  assignmentsLane,
  type AutoAssignResult,
  type AutoAssignment,
  type QueuedConversation,
  type WaitingConversation,
  type Workload,
  Workloads
} from "./AssignmentQueue.ts"

/** Whether the member can get one more conversation, in the round robin of `chooseMember`. */
export const hasFreeCapacity = ({ availability: { capacity, status }, open, role }: Workload): boolean =>
  status === "available" && open < capacity && permissionsOfRole(role).has("conversations.manage")

const byTime = (one: DateTime.Utc | null, other: DateTime.Utc | null, absent: -1 | 1) => {
  if (one === null || other === null) return one === other ? 0 : one === null ? absent : -absent
  return DateTime.Order(one, other)
}

const byText = (one: string, other: string) => (one < other ? -1 : Number(one > other))

/** Order of assignment: urgency, then the longest wait for an answer, then the longest wait for a member. */
export const byPriorityAndWait = (one: WaitingConversation, other: WaitingConversation): number =>
  prioritiesByUrgency.indexOf(one.priority) - prioritiesByUrgency.indexOf(other.priority) ||
  byTime(one.waitingSince, other.waitingSince, 1) ||
  DateTime.Order(one.since, other.since) ||
  byText(one.conversationId, other.conversationId)

/** Order of members: fewest open conversations, then the longest time without an assignment. */
const byWorkload = (one: Workload, other: Workload): number =>
  one.open - other.open || byTime(one.lastAssignedAt, other.lastAssignedAt, -1) || byText(one.userId, other.userId)

/**
 * Round robin: chooses the last assignee of the contact if free, else the member with the fewest open conversations. Among equals, the longest time
 * without an assignment decides.
 */
export const chooseMember = (
  { lastAssigneeId, memberIds, sticky }: Pick<WaitingConversation, "lastAssigneeId" | "memberIds" | "sticky">,
  workloads: ReadonlyArray<Workload>
): Workload | null => {
  const free = workloads.filter(
    (each) => hasFreeCapacity(each) && (memberIds === null || memberIds.includes(each.memberId))
  )
  const last = sticky ? free.find(({ userId }) => userId === lastAssigneeId) : undefined
  return last ?? free.toSorted(byWorkload)[0] ?? null
}

/** Conversation with its planned assignee. */
export interface PlannedAssignment<Each extends WaitingConversation> {
  readonly conversation: Each
  readonly assigneeId: UserId
  readonly because: AssignmentReason
}

/** Assigns conversations in order until no member is free. */
export const planAssignments = <Each extends WaitingConversation>(
  conversations: ReadonlyArray<Each>,
  workloads: ReadonlyArray<Workload>,
  now: DateTime.Utc
): ReadonlyArray<PlannedAssignment<Each>> => {
  const loads = new Map(workloads.map((each) => [each.userId, each]))
  return conversations.toSorted(byPriorityAndWait).flatMap((conversation) => {
    const chosen = chooseMember(conversation, [...loads.values()])
    if (chosen === null) return []
    loads.set(chosen.userId, { ...chosen, open: chosen.open + 1, lastAssignedAt: now })
    const isLast = conversation.sticky && chosen.userId === conversation.lastAssigneeId
    return [{ conversation, assigneeId: chosen.userId, because: isLast ? "last_assignee" : "lowest_load" }]
  })
}

/** Maximum wait for a member, in hours. */
export const maxQueueHours = 24

/** Maximum number of conversations assigned in one unit of work. */
const assignBatchSize = 50

/** Returns the cutoff: entries that started to wait at or before it have expired. */
export const queueExpiryCutoff = (now: DateTime.Utc): DateTime.Utc => DateTime.subtract(now, { hours: maxQueueHours })

/**
 * Plans the next assignments, including one newcomer if given. Until this unit of work ends, no other process assigns conversations, and the chosen
 * members stay members with the same availability. Call it before locking a conversation, because the removal of a member locks in the same order.
 */
export const assignNextBatch = Effect.fnUntraced(function* (newcomer: WaitingConversation | null) {
  const workloads = yield* Workloads
  const members = yield* Members
  yield* (yield* Locks).exclusive("assignments")
  const now = yield* DateTime.now
  const taken = new Set<UserId>()
  while (true) {
    const all = yield* workloads.all()
    const free = all.filter(hasFreeCapacity).map(({ memberId }) => memberId)
    const queued =
      free.length === 0 ? [] : yield* (yield* AssignmentQueue).next(queueExpiryCutoff(now), free, assignBatchSize)
    const others = queued.filter(({ conversationId }) => conversationId !== newcomer?.conversationId)
    const planned = planAssignments(newcomer === null ? others : [...others, newcomer], all, now)
    const strangers = new Set(planned.map(({ assigneeId }) => assigneeId)).difference(taken)
    // A member's data may have changed between the read and the lock.
    if (strangers.size === 0) return { planned, isMore: queued.length === assignBatchSize }
    for (const userId of [...strangers].toSorted()) {
      yield* members.lockByUser(userId)
      taken.add(userId)
    }
  }
})

const isAssignedOrResolved = ({ assigneeId, status }: Conversation) => assigneeId !== null || status === "resolved"

const unchanged: AutoAssignResult = { kind: "unchanged" }

/** Queues a conversation and opens the lane, because a member may be free by the time of the commit. */
const queue = Effect.fnUntraced(function* (queued: QueuedConversation) {
  yield* (yield* AssignmentQueue).put(queued)
  const { id } = yield* CurrentOrganization
  yield* (yield* Lanes).open({ ...assignmentsLane(id), priority: "person", dueAt: queued.since })
})

/**
 * Assigns an unassigned conversation to a free member as the current actor. It writes the events and audit entries of a manual assignment.
 * Waiting conversations go first. It runs in the caller's unit of work, which must not hold a conversation lock yet.
 */
export const autoAssign = Effect.fnUntraced(function* (
  id: ConversationId,
  { memberIds, sticky, whenNone }: AutoAssignment
) {
  const { conversation } = yield* (yield* Conversations).get(id)
  if (isAssignedOrResolved(conversation)) return unchanged
  const now = yield* DateTime.now
  const { contactId, priority, waitingSince } = conversation
  const queued: QueuedConversation = {
    conversationId: id,
    memberIds,
    sticky,
    by: toActorRef(yield* CurrentActor),
    causation: yield* CurrentCausation,
    since: now
  }
  const lastAssigneeId = sticky ? yield* (yield* Workloads).lastOf(contactId) : null
  const { planned } = yield* assignNextBatch({ ...queued, contactId, priority, waitingSince, lastAssigneeId })
  const before = yield* lockConversation(id)
  if (isAssignedOrResolved(before)) return unchanged
  const handing = planned.find((each) => each.conversation.conversationId === id)
  if (handing === undefined) {
    if (whenNone === "leave") return unchanged
    yield* queue(queued)
    return { kind: "queued" } satisfies AutoAssignResult
  }
  const { assigneeId, because } = handing
  yield* Effect.orDie(saveConversationChanges([{ before, after: withAssignee(before, assigneeId, now) }]))
  return { kind: "assigned", assigneeId, because } satisfies AutoAssignResult
})
