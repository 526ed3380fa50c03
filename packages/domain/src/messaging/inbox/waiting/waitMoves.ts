import { DateTime } from "effect"
import type { ChatAccountId } from "../../chat/index.ts"
import type { ConversationId, Message, MessageId } from "../Message.ts"
import type { InboxEvent } from "../events.ts"
import { acceptedAt, isAnswer, isByPerson, isSameInstant } from "../messageProgress.ts"
import type { Answer, Ending, WaitChange, Waiting } from "./Waits.ts"

const earlier = (one: DateTime.Utc | null, other: DateTime.Utc | null) =>
  one === null || other === null ? (one ?? other) : DateTime.min(one, other)

const noEndings: ReadonlyMap<MessageId, Ending | null> = new Map()

/** The contact waits since then, unless it has waited for longer. */
export const waitingFrom = <W extends Waiting>(before: W, at: DateTime.Utc) => ({
  waitingSince: earlier(before.waitingSince, at)
})

/** Nobody waits any more, whatever becomes of earlier answers. */
export const noLongerWaiting = ({ waitRound }: Pick<Waiting, "waitRound">) => ({
  waitingSince: null,
  waitRound: waitRound + 1
})

const accepted = (waiting: Waiting, message: Message, at: DateTime.Utc): WaitChange => {
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

const order = (one: Answer, other: Answer) =>
  DateTime.Order(one.acceptedAt, other.acceptedAt) || (one.messageId < other.messageId ? -1 : 1)

/** As if it had never been accepted: its wait goes to the next answer before nobody was waited for any more, or goes on. */
const lost = (waiting: Waiting, { id }: Message, answers: ReadonlyArray<Answer>): WaitChange => {
  const own = answers.find(({ messageId }) => messageId === id)
  if (own === undefined) return { waiting, endings: noEndings }
  const gone = new Map<MessageId, Ending | null>([[id, null]])
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
      ...(heir === null && round === waiting.waitRound && waitingFrom(waiting, since)),
      ...(isFirst
        ? { firstRepliedAt: first.acceptedAt, firstReplyId: first.messageId }
        : standing === null && { firstRepliedAt: null, firstReplyId: null })
    },
    endings: heir === null ? gone : gone.set(heir.messageId, { round, since: heir.since })
  }
}

/** Whether what becomes of a message may change who waits. */
export const concernsWaits = (before: Message | null, after: Message): boolean => {
  if (!isAnswer(after)) return false
  const [was, is] = [before === null ? null : acceptedAt(before), acceptedAt(after)]
  return was === null || is === null ? was !== is : !DateTime.Equivalence(was, is)
}

/** Whether a message that was accepted is not so any more. */
export const isLost = (before: Message, after: Message): boolean =>
  isAnswer(before) && acceptedAt(before) !== null && acceptedAt(after) === null

/**
 * What becomes of the waits when a message changes. `answers` are those of the conversation that were accepted at the time of this one, or
 * later: they count where this one is not accepted any more.
 */
export const afterMessage = (
  waiting: Waiting,
  before: Message | null,
  after: Message,
  answers: ReadonlyArray<Answer>
): WaitChange => {
  const [was, is] = [before === null ? null : acceptedAt(before), acceptedAt(after)]
  if (!isAnswer(after) || (was === null && is === null)) return { waiting, endings: noEndings }
  if (is === null) return lost(waiting, after, answers)
  if (was === null) return accepted(waiting, after, is)
  return {
    waiting: waiting.firstReplyId === after.id ? { ...waiting, firstRepliedAt: is } : waiting,
    endings: noEndings
  }
}

/** Whether the same people wait. */
export const isSameWait = (one: Waiting, other: Waiting): boolean =>
  one.waitRound === other.waitRound &&
  one.firstReplyId === other.firstReplyId &&
  isSameInstant(one.waitingSince, other.waitingSince) &&
  isSameInstant(one.firstRepliedAt, other.firstRepliedAt)

/** What an event tells of who waits: something only where somebody begins to, or no longer does. */
export const awaitsMove = (
  chatAccountId: ChatAccountId,
  before: Pick<Waiting, "waitingSince"> | null,
  after: Pick<Waiting, "waitingSince">
): { readonly chatAccountId?: ChatAccountId; readonly awaits?: "begins" | "ends" } => {
  const [was, is] = [before !== null && before.waitingSince !== null, after.waitingSince !== null]
  return was === is ? {} : { chatAccountId, awaits: is ? "begins" : "ends" }
}

/** What is told where an answer has changed who waits. */
export const waitsChanged = (conversationId: ConversationId, moved: ReturnType<typeof awaitsMove>): InboxEvent => ({
  type: "conversation.updated",
  conversationId,
  fields: ["waitingSince", "firstRepliedAt"],
  ...moved
})
