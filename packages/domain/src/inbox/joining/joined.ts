import { DateTime } from "effect"
import type { ContactMergeId } from "../../crm/index.ts"
import { Conversation, type Priority } from "../Conversation.ts"
import { addressed, allWindows, withWindow } from "../recipients.ts"
import { ConversationJoin } from "./ConversationJoin.ts"

const mostLabels = 20

const priorities: ReadonlyArray<Priority> = ["none", "low", "medium", "high", "urgent"]

const higher = (one: Priority, other: Priority): Priority =>
  priorities.indexOf(one) < priorities.indexOf(other) ? other : one

const earlier = (one: DateTime.Utc | null, other: DateTime.Utc | null) =>
  one === null || other === null ? (one ?? other) : DateTime.min(one, other)

/** Open asks for more than pending, and that for more than snoozed; of two that are snoozed, the earlier one counts. */
const standingOf = (one: Conversation, other: Conversation): Pick<Conversation, "status" | "snoozedUntil"> => {
  for (const status of ["open", "pending"] as const) {
    if (one.status === status || other.status === status) return { status, snoozedUntil: null }
  }
  return { status: one.status, snoozedUntil: earlier(one.snoozedUntil, other.snoozedUntil) }
}

const recipientOf = (one: Conversation, other: Conversation): Conversation => {
  const isLater =
    other.recipientAt !== null &&
    (one.recipientAt === null || DateTime.isGreaterThan(other.recipientAt, one.recipientAt))
  const { recipient, recipientAt } = one.recipient === null || isLater ? other : one
  const to = recipient === null ? one : addressed(one, recipient, recipientAt)
  return allWindows(other).reduce((each, { expiresAt, ...way }) => withWindow(each, way, expiresAt), to)
}

const unread = ({ inboundCount, readCount }: Conversation) => Math.max(0, inboundCount - readCount)

/** Messages that nobody has read count with the conversation that goes on. */
const keeping = (kept: Conversation, other: Conversation, now: DateTime.Utc): Conversation =>
  new Conversation({
    ...recipientOf(kept, other),
    ...standingOf(kept, other),
    priority: higher(kept.priority, other.priority),
    assigneeId: kept.assigneeId ?? other.assigneeId,
    // As many as fit, those of the conversation that goes on first. The others stay on the one that does not.
    labels: [...new Set([...kept.labels, ...other.labels])].slice(0, mostLabels),
    inboundCount: kept.inboundCount + unread(other),
    updatedAt: now
  })

const ending = (other: Conversation, at: DateTime.Utc, now: DateTime.Utc): Conversation =>
  new Conversation({
    ...other,
    status: "resolved",
    snoozedUntil: null,
    resolvedAt: at,
    readCount: Math.max(other.readCount, other.inboundCount),
    updatedAt: now
  })

const idlest = (one: Conversation, other: Conversation) =>
  DateTime.Order(one.lastActivityAt, other.lastActivityAt) || (one.id < other.id ? -1 : 1)

/**
 * Joins two unresolved conversations over one number: the one in which something happened last goes on, with the more urgent of
 * everything, and the other one is resolved.
 */
export const joined = (
  pair: readonly [Conversation, Conversation],
  mergeId: ContactMergeId,
  at: DateTime.Utc,
  now: DateTime.Utc
): ConversationJoin => {
  const [one, two] = pair
  const [other, kept] = idlest(one, two) < 0 ? [one, two] : [two, one]
  return new ConversationJoin({
    mergeId,
    before: { kept, other },
    after: { kept: keeping(kept, other, now), other: ending(other, at, now) }
  })
}

/** Joins the unresolved conversations of two contacts that become one, wherever both have one over the same number. */
export const joinedAll = (
  unresolved: ReadonlyArray<Conversation>,
  mergeId: ContactMergeId,
  now: DateTime.Utc
): ReadonlyArray<ConversationJoin> =>
  [...Map.groupBy(unresolved, ({ chatAccountId }) => chatAccountId).values()].flatMap(([one, two]) =>
    one === undefined || two === undefined ? [] : [joined([one, two], mergeId, now, now)]
  )
