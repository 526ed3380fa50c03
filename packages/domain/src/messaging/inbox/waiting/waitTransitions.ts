import { DateTime } from "effect"
import type { ChatAccountId } from "../../chat/index.ts"
import type { ConversationId, Message, MessageId } from "../Message.ts"
import type { InboxEvent } from "../events.ts"
import { acceptedAt, isAnswer, isByPerson, isSameInstant } from "../messageProgress.ts"
import type { AcceptedAnswer, EndedWait, WaitChange, ConversationWait } from "./Waits.ts"

const earlier = (one: DateTime.Utc | null, other: DateTime.Utc | null) =>
  one === null || other === null ? (one ?? other) : DateTime.min(one, other)

const noEndedWaits: ReadonlyMap<MessageId, EndedWait | null> = new Map()

/** Starts a wait at that time, unless an earlier wait exists. */
export const withWaitingSince = <W extends ConversationWait>(before: W, at: DateTime.Utc) => ({
  waitingSince: earlier(before.waitingSince, at)
})

/** Ends the wait, regardless of earlier answers. */
export const withWaitEnded = ({ waitRound }: Pick<ConversationWait, "waitRound">) => ({
  waitingSince: null,
  waitRound: waitRound + 1
})

const applyAcceptance = (waiting: ConversationWait, message: Message, at: DateTime.Utc): WaitChange => {
  const { firstRepliedAt, waitRound: round, waitingSince: since } = waiting
  const isFirst = since !== null && firstRepliedAt === null && isByPerson(message)
  return {
    waiting: {
      ...waiting,
      waitingSince: null,
      ...(isFirst && { firstRepliedAt: at, firstReplyId: message.id })
    },
    endings: new Map([[message.id, { round, since }]])
  }
}

const order = (one: AcceptedAnswer, other: AcceptedAnswer) =>
  DateTime.Order(one.acceptedAt, other.acceptedAt) || (one.messageId < other.messageId ? -1 : 1)

/** Reverts an acceptance. Its wait moves to the next answer of the same round; without one, the wait continues. */
const applyLostAcceptance = (
  waiting: ConversationWait,
  { id }: Message,
  answers: ReadonlyArray<AcceptedAnswer>
): WaitChange => {
  const own = answers.find(({ messageId }) => messageId === id)
  if (own === undefined) return { waiting, endings: noEndedWaits }
  const gone = new Map<MessageId, EndedWait | null>([[id, null]])
  const { round, since } = own
  if (since === null) return { waiting, endings: gone }
  const later = answers.filter((each) => order(own, each) < 0).toSorted(order)
  const next = later.find((each) => each.round === round)
  const heir = next === undefined ? null : { ...next, since: earlier(since, next.since) }
  const first = later
    .map((each) => (heir !== null && each.messageId === heir.messageId ? heir : each))
    .find((each) => each.byPerson && each.since !== null)
  const { firstRepliedAt, firstReplyId } = waiting
  const standing = firstReplyId === id ? null : firstRepliedAt
  const isFirst = first !== undefined && (standing === null || DateTime.isLessThan(first.acceptedAt, standing))
  return {
    waiting: {
      ...waiting,
      ...(heir === null && round === waiting.waitRound && withWaitingSince(waiting, since)),
      ...(isFirst
        ? { firstRepliedAt: first.acceptedAt, firstReplyId: first.messageId }
        : standing === null && { firstRepliedAt: null, firstReplyId: null })
    },
    endings: heir === null ? gone : gone.set(heir.messageId, { round, since: heir.since })
  }
}

/** Whether the change of a message can change the wait. */
export const isWaitRelevant = (before: Message | null, after: Message): boolean => {
  if (!isAnswer(after)) return false
  const [was, is] = [before === null ? null : acceptedAt(before), acceptedAt(after)]
  return was === null || is === null ? was !== is : !DateTime.Equivalence(was, is)
}

/** Whether an accepted message is no longer accepted. */
export const isAcceptanceLost = (before: Message, after: Message): boolean =>
  isAnswer(before) && acceptedAt(before) !== null && acceptedAt(after) === null

/**
 * Computes the wait after a message has changed. `answers` are the answers accepted at the time of this one, or later. They count if this message is
 * no longer accepted.
 */
export const applyMessageChange = (
  waiting: ConversationWait,
  before: Message | null,
  after: Message,
  answers: ReadonlyArray<AcceptedAnswer>
): WaitChange => {
  const [was, is] = [before === null ? null : acceptedAt(before), acceptedAt(after)]
  if (!isAnswer(after) || (was === null && is === null)) return { waiting, endings: noEndedWaits }
  if (is === null) return applyLostAcceptance(waiting, after, answers)
  if (was === null) return applyAcceptance(waiting, after, is)
  return {
    waiting: waiting.firstReplyId === after.id ? { ...waiting, firstRepliedAt: is } : waiting,
    endings: noEndedWaits
  }
}

export const isSameWait = (one: ConversationWait, other: ConversationWait): boolean =>
  one.waitRound === other.waitRound &&
  one.firstReplyId === other.firstReplyId &&
  isSameInstant(one.waitingSince, other.waitingSince) &&
  isSameInstant(one.firstRepliedAt, other.firstRepliedAt)

/** Returns the wait transition of an event; set only if a wait starts or ends. */
export const waitTransition = (
  chatAccountId: ChatAccountId,
  before: Pick<ConversationWait, "waitingSince"> | null,
  after: Pick<ConversationWait, "waitingSince">
): { readonly chatAccountId?: ChatAccountId; readonly awaits?: "begins" | "ends" } => {
  const [was, is] = [before !== null && before.waitingSince !== null, after.waitingSince !== null]
  return was === is ? {} : { chatAccountId, awaits: is ? "begins" : "ends" }
}

/** Returns the event for an answer that has changed the wait. */
export const waitsChangedEvent = (
  conversationId: ConversationId,
  moved: ReturnType<typeof waitTransition>
): InboxEvent => ({
  type: "conversation.updated",
  conversationId,
  fields: ["waitingSince", "firstRepliedAt"],
  ...moved
})
