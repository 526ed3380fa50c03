import { DateTime, Effect } from "effect"
import type { ConversationStatus } from "./Conversation.ts"
import { Conversation } from "./Conversation.ts"
import { ConversationTransitionInvalid } from "./Errors.ts"
import type { MessageStatus } from "./Message.ts"
import { openedAt } from "./waiting/stretches.ts"
import { noLongerWaiting } from "./waiting/moves.ts"

/** Where a conversation can go from each status. Snoozed ones open by hand, in time, or when the contact writes. */
export const conversationTransitions: Readonly<Record<ConversationStatus, ReadonlyArray<ConversationStatus>>> = {
  open: ["pending", "snoozed", "resolved"],
  pending: ["open", "snoozed", "resolved"],
  snoozed: ["open", "resolved"],
  resolved: ["open"]
}

/** For how long after it was resolved a conversation opens again when the contact writes; after that a new one begins. */
export const reopeningDays = 7

/** The conversation in another status. */
export const inStatus = (
  before: Conversation,
  to: ConversationStatus,
  now: DateTime.Utc,
  snoozedUntil: DateTime.Utc | null = null
) => {
  const allowed = conversationTransitions[before.status]
  if (!allowed.includes(to)) {
    return Effect.fail(new ConversationTransitionInvalid({ from: before.status, to, allowed }))
  }
  const after = new Conversation({
    ...before,
    status: to,
    snoozedUntil: to === "snoozed" ? snoozedUntil : null,
    ...(to === "resolved" && noLongerWaiting(before)),
    resolvedAt: to === "resolved" ? now : null,
    updatedAt: now
  })
  return Effect.succeed(openedAt(before, after, now))
}

/** The conversation snoozed until then; one that is snoozed already gets the new time. */
export const snoozed = (before: Conversation, until: DateTime.Utc, now: DateTime.Utc) => {
  if (before.status !== "snoozed") return inStatus(before, "snoozed", now, until)
  const isSame = before.snoozedUntil !== null && DateTime.Equivalence(before.snoozedUntil, until)
  return Effect.succeed(isSame ? before : new Conversation({ ...before, snoozedUntil: until, updatedAt: now }))
}

/** How far each status of an outgoing message is. A message never moves to one that is less far. */
const progress: Readonly<Record<Exclude<MessageStatus, "received">, number>> = {
  queued: 0,
  in_doubt: 1,
  sent: 2,
  // A failure takes back what was said before, but not that the message has arrived.
  failed: 3,
  delivered: 4,
  read: 5
}

/** Whether an outgoing message that is in one status may move to another, in whatever order receipts arrive. */
export const movesOn = (from: MessageStatus, to: MessageStatus): boolean =>
  from !== "received" && to !== "received" && progress[to] > progress[from]
