import { DateTime } from "effect"
import { permissionsOfRole } from "../../../platform/identity/index.ts"
import type { UserId } from "../../../kernel/index.ts"
import { byUrgency } from "../conversationOrder.ts"
import type { WaitingConversation } from "./AssignmentQueue.ts"
import type { Workload } from "./Workloads.ts"

/** Whether somebody may be handed one more conversation. */
export const isFree = ({ availability: { capacity, status }, open, role }: Workload): boolean =>
  status === "available" && open < capacity && permissionsOfRole(role).has("conversations.manage")

const byTime = (one: DateTime.Utc | null, other: DateTime.Utc | null, absent: -1 | 1) => {
  if (one === null || other === null) return one === other ? 0 : one === null ? absent : -absent
  return DateTime.Order(one, other)
}

const byText = (one: string, other: string) => (one < other ? -1 : Number(one > other))

/** The most urgent first, of these who has waited longest for an answer, of those that do not wait for one who has waited longest for a member. */
export const byTurn = (one: WaitingConversation, other: WaitingConversation): number =>
  byUrgency.indexOf(one.priority) - byUrgency.indexOf(other.priority) ||
  byTime(one.waitingSince, other.waitingSince, 1) ||
  DateTime.Order(one.since, other.since) ||
  byText(one.conversationId, other.conversationId)

/** Who has the fewest open conversations first, of these who was handed none for longest. */
const byWorkload = (one: Workload, other: Workload): number =>
  one.open - other.open || byTime(one.handedAt, other.handedAt, -1) || byText(one.userId, other.userId)

/** Whom a conversation is handed to: who looked after the contact last, if they are free, or else whoever has least to do. */
export const chosenFor = (
  { lastAssigneeId, memberIds, sticky }: Pick<WaitingConversation, "lastAssigneeId" | "memberIds" | "sticky">,
  workloads: ReadonlyArray<Workload>
): Workload | null => {
  const free = workloads.filter((each) => isFree(each) && (memberIds === null || memberIds.includes(each.memberId)))
  const last = sticky ? free.find(({ userId }) => userId === lastAssigneeId) : undefined
  return last ?? free.toSorted(byWorkload)[0] ?? null
}

/** A conversation, and whom it is handed to. */
export interface Handing<Each extends WaitingConversation> {
  readonly conversation: Each
  readonly assigneeId: UserId
}

/** Hands conversations out in their order, until nobody is free. */
export const plannedFor = <Each extends WaitingConversation>(
  conversations: ReadonlyArray<Each>,
  workloads: ReadonlyArray<Workload>,
  now: DateTime.Utc
): ReadonlyArray<Handing<Each>> => {
  const loads = new Map(workloads.map((each) => [each.userId, each]))
  return conversations.toSorted(byTurn).flatMap((conversation) => {
    const chosen = chosenFor(conversation, [...loads.values()])
    if (chosen === null) return []
    loads.set(chosen.userId, { ...chosen, open: chosen.open + 1, handedAt: now })
    return [{ conversation, assigneeId: chosen.userId }]
  })
}
