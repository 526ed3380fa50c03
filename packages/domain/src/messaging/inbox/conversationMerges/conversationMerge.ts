import { DateTime, Schema } from "effect"
import { ContactMergeId } from "../../../crm/index.ts"
import { Conversation, type Priority } from "../Conversation.ts"
import { withRecipient, allWindows, withWindow } from "../recipients.ts"
import { withWaitEnded } from "../waiting/waitTransitions.ts"

const MergeSides = Schema.Struct({ kept: Conversation, other: Conversation })

/** Two unresolved conversations over one number that a merge of contacts joined: both before and right after the join. */
export class ConversationMerge extends Schema.Class<ConversationMerge>("ConversationJoin")({
  mergeId: ContactMergeId,
  before: MergeSides,
  after: MergeSides
}) {}

const maxLabels = 20

const priorities: ReadonlyArray<Priority> = ["none", "low", "medium", "high", "urgent"]

const higher = (one: Priority, other: Priority): Priority =>
  priorities.indexOf(one) < priorities.indexOf(other) ? other : one

const earlier = (one: DateTime.Utc | null, other: DateTime.Utc | null) =>
  one === null || other === null ? (one ?? other) : DateTime.min(one, other)

/** Returns the more urgent status: open, then pending, then snoozed. Of two snoozed conversations the earlier time counts. */
const moreUrgentStatus = (one: Conversation, other: Conversation): Pick<Conversation, "status" | "snoozedUntil"> => {
  for (const status of ["open", "pending"] as const) {
    if (one.status === status || other.status === status) return { status, snoozedUntil: null }
  }
  return { status: one.status, snoozedUntil: earlier(one.snoozedUntil, other.snoozedUntil) }
}

const laterRecipient = (one: Conversation, other: Conversation): Conversation => {
  const isLater =
    other.recipientAt !== null &&
    (one.recipientAt === null || DateTime.isGreaterThan(other.recipientAt, one.recipientAt))
  const { recipient, recipientAt } = one.recipient === null || isLater ? other : one
  const to = recipient === null ? one : withRecipient(one, recipient, recipientAt)
  return allWindows(other).reduce((each, { expiresAt, ...way }) => withWindow(each, way, expiresAt), to)
}

const unread = ({ inboundCount, readCount }: Conversation) => Math.max(0, inboundCount - readCount)

/** Builds the surviving conversation. It includes the unread messages of the other one and the longer wait of the two. */
const buildSurvivor = (kept: Conversation, other: Conversation, now: DateTime.Utc): Conversation =>
  new Conversation({
    ...laterRecipient(kept, other),
    ...moreUrgentStatus(kept, other),
    priority: higher(kept.priority, other.priority),
    assigneeId: kept.assigneeId ?? other.assigneeId,
    // The survivor's labels come first, up to the limit. The other labels stay on the other conversation.
    labels: [...new Set([...kept.labels, ...other.labels])].slice(0, maxLabels),
    inboundCount: kept.inboundCount + unread(other),
    waitingSince: earlier(kept.waitingSince, other.waitingSince),
    updatedAt: now
  })

const resolveOther = (other: Conversation, at: DateTime.Utc, now: DateTime.Utc): Conversation =>
  new Conversation({
    ...other,
    status: "resolved",
    snoozedUntil: null,
    resolvedAt: at,
    ...withWaitEnded(other),
    readCount: Math.max(other.readCount, other.inboundCount),
    updatedAt: now
  })

const byActivity = (one: Conversation, other: Conversation) =>
  DateTime.Order(one.lastActivityAt, other.lastActivityAt) || (one.id < other.id ? -1 : 1)

/**
 * Joins two unresolved conversations over one number. The one with the latest activity survives with the more urgent value of each field. The other
 * one is resolved.
 */
export const mergeConversations = (
  pair: readonly [Conversation, Conversation],
  mergeId: ContactMergeId,
  at: DateTime.Utc,
  now: DateTime.Utc
): ConversationMerge => {
  const [one, two] = pair
  const [other, kept] = byActivity(one, two) < 0 ? [one, two] : [two, one]
  return new ConversationMerge({
    mergeId,
    before: { kept, other },
    after: { kept: buildSurvivor(kept, other, now), other: resolveOther(other, at, now) }
  })
}

/** Joins the unresolved conversations of two merged contacts, for each number where both have one. */
export const mergeAllConversations = (
  unresolved: ReadonlyArray<Conversation>,
  mergeId: ContactMergeId,
  now: DateTime.Utc
): ReadonlyArray<ConversationMerge> =>
  [...Map.groupBy(unresolved, ({ chatAccountId }) => chatAccountId).values()].flatMap(([one, two]) =>
    one === undefined || two === undefined ? [] : [mergeConversations([one, two], mergeId, now, now)]
  )
