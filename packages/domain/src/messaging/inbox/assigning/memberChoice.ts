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
  assignmentsLane,
  type AutoAssignResult,
  type AutoAssignment,
  type QueuedConversation,
  type WaitingConversation,
  type Workload,
  Workloads
} from "./AssignmentQueue.ts"

/** Whether somebody may be handed one more conversation. */
export const hasFreeCapacity = ({ availability: { capacity, status }, open, role }: Workload): boolean =>
  status === "available" && open < capacity && permissionsOfRole(role).has("conversations.manage")

const byTime = (one: DateTime.Utc | null, other: DateTime.Utc | null, absent: -1 | 1) => {
  if (one === null || other === null) return one === other ? 0 : one === null ? absent : -absent
  return DateTime.Order(one, other)
}

const byText = (one: string, other: string) => (one < other ? -1 : Number(one > other))

/** The most urgent first, of these who has waited longest for an answer, of those that do not wait for one who has waited longest for a member. */
export const byPriorityAndWait = (one: WaitingConversation, other: WaitingConversation): number =>
  prioritiesByUrgency.indexOf(one.priority) - prioritiesByUrgency.indexOf(other.priority) ||
  byTime(one.waitingSince, other.waitingSince, 1) ||
  DateTime.Order(one.since, other.since) ||
  byText(one.conversationId, other.conversationId)

/** Who has the fewest open conversations first, of these who was handed none for longest. */
const byWorkload = (one: Workload, other: Workload): number =>
  one.open - other.open || byTime(one.handedAt, other.handedAt, -1) || byText(one.userId, other.userId)

/** Whom a conversation is handed to: who looked after the contact last, if they are free, or else whoever has least to do. */
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

/** A conversation, and whom it is handed to. */
export interface PlannedAssignment<Each extends WaitingConversation> {
  readonly conversation: Each
  readonly assigneeId: UserId
}

/** Hands conversations out in their order, until nobody is free. */
export const planAssignments = <Each extends WaitingConversation>(
  conversations: ReadonlyArray<Each>,
  workloads: ReadonlyArray<Workload>,
  now: DateTime.Utc
): ReadonlyArray<PlannedAssignment<Each>> => {
  const loads = new Map(workloads.map((each) => [each.userId, each]))
  return conversations.toSorted(byPriorityAndWait).flatMap((conversation) => {
    const chosen = chooseMember(conversation, [...loads.values()])
    if (chosen === null) return []
    loads.set(chosen.userId, { ...chosen, open: chosen.open + 1, handedAt: now })
    return [{ conversation, assigneeId: chosen.userId }]
  })
}

/** For so long a conversation waits for a member. */
export const maxQueueHours = 24

/** How many conversations are handed out in one unit of work. */
const assignBatchSize = 50

/** Up to when a conversation had to be put in, so as not to wait any more. */
export const queueExpiryCutoff = (now: DateTime.Utc): DateTime.Utc => DateTime.subtract(now, { hours: maxQueueHours })

/**
 * Says whom the conversations that wait first are handed to, and one more that is about to wait, if there is one. Nobody else hands any
 * out, and those who get one stay members and available as they are, until this unit of work ends. Call it before a conversation
 * is taken: whoever removes a member takes both in that order, too.
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
    // What was read of somebody before they were taken may have changed since.
    if (strangers.size === 0) return { planned, isMore: queued.length === assignBatchSize }
    for (const userId of [...strangers].toSorted()) {
      yield* members.lockByUser(userId)
      taken.add(userId)
    }
  }
})

const isAssignedOrResolved = ({ assigneeId, status }: Conversation) => assigneeId !== null || status === "resolved"

const unchanged: AutoAssignResult = { kind: "unchanged" }

/** Lets a conversation wait for a member, and has somebody look whether one is free by the time this is committed. */
const queue = Effect.fnUntraced(function* (queued: QueuedConversation) {
  yield* (yield* AssignmentQueue).put(queued)
  const { id } = yield* CurrentOrganization
  yield* (yield* Lanes).open({ ...assignmentsLane(id), priority: "person", dueAt: queued.since })
})

/**
 * Hands a conversation that nobody looks after to whoever is free, as the team would: with its traces, in the name of whoever acts. Those
 * that wait for a member already go first. It runs in the unit of work of the caller, who has taken no conversation yet.
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
  const { assigneeId } = handing
  yield* Effect.orDie(saveConversationChanges([{ before, after: withAssignee(before, assigneeId, now) }]))
  return { kind: "assigned", assigneeId } satisfies AutoAssignResult
})
