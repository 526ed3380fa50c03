import { DateTime } from "effect"
import type { ChatAccountId } from "../../chat/index.ts"
import type { ConversationId, Message, MessageId } from "../Message.ts"
import type { InboxEvent } from "../events.ts"
import { acceptedAt, isAnswer, isByPerson, isSameInstant } from "../messageProgress.ts"
import type { AcceptedAnswer, EndedWait, WaitChange, ConversationWait } from "./Waits.ts"

const earlier = (one: DateTime.Utc | null, other: DateTime.Utc | null) =>
  one === null || other === null ? (one ?? other) : DateTime.min(one, other)

const noEndedWaits: ReadonlyMap<MessageId, EndedWait | null> = new Map()

/** The contact waits since then, unless it has waited for longer. */
export const withWaitingSince = <W extends ConversationWait>(before: W, at: DateTime.Utc) => ({
  waitingSince: earlier(before.waitingSince, at)
})

/** Nobody waits any more, whatever becomes of earlier answers. */
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

/** As if it had never been accepted: its wait goes to the next answer before nobody was waited for any more, or goes on. */
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

/** Whether what becomes of a message may change who waits. */
export const isWaitRelevant = (before: Message | null, after: Message): boolean => {
  if (!isAnswer(after)) return false
  const [was, is] = [before === null ? null : acceptedAt(before), acceptedAt(after)]
  return was === null || is === null ? was !== is : !DateTime.Equivalence(was, is)
}

/** Whether a message that was accepted is not so any more. */
export const isAcceptanceLost = (before: Message, after: Message): boolean =>
  isAnswer(before) && acceptedAt(before) !== null && acceptedAt(after) === null

/**
 * What becomes of the waits when a message changes. `answers` are those of the conversation that were accepted at the time of this one, or
 * later: they count where this one is not accepted any more.
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

/** Whether the same people wait. */
export const isSameWait = (one: ConversationWait, other: ConversationWait): boolean =>
  one.waitRound === other.waitRound &&
  one.firstReplyId === other.firstReplyId &&
  isSameInstant(one.waitingSince, other.waitingSince) &&
  isSameInstant(one.firstRepliedAt, other.firstRepliedAt)

/** What an event tells of who waits: something only where somebody begins to, or no longer does. */
export const waitTransition = (
  chatAccountId: ChatAccountId,
  before: Pick<ConversationWait, "waitingSince"> | null,
  after: Pick<ConversationWait, "waitingSince">
): { readonly chatAccountId?: ChatAccountId; readonly awaits?: "begins" | "ends" } => {
  const [was, is] = [before !== null && before.waitingSince !== null, after.waitingSince !== null]
  return was === is ? {} : { chatAccountId, awaits: is ? "begins" : "ends" }
}

/** What is told where an answer has changed who waits. */
export const waitsChangedEvent = (
  conversationId: ConversationId,
  moved: ReturnType<typeof waitTransition>
): InboxEvent => ({
  type: "conversation.updated",
  conversationId,
  fields: ["waitingSince", "firstRepliedAt"],
  ...moved
})
