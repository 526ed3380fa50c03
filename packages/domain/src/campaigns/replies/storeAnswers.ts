import { DateTime, Effect } from "effect"
import type { ChatAccountId } from "../../messaging/chat/index.ts"
import { type InboundAnswer, type Message, Messages } from "../../messaging/inbox/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { type ButtonTally, ButtonTaps } from "../ButtonTaps.ts"
import type { BroadcastId } from "../Ids.ts"
import { type AcceptedRecipient, RecipientReplies } from "../RecipientReplies.ts"
import { isAccepted } from "../RecipientStatus.ts"
import { tellProgress } from "../sending/tellProgress.ts"
import { readAcceptedMessages } from "./acceptedMessages.ts"
import { answeredRecipient } from "./answeredRecipient.ts"
import { answerOptOuts } from "./answerOptOuts.ts"
import { messageOf } from "./messageOf.ts"
import { tappedButton } from "./tappedButton.ts"

/** Reactions, corrections and what the provider tells by itself are no answers. */
const isAnswer = ({ message: { kind } }: InboundAnswer) =>
  kind !== "reaction" && kind !== "edit" && kind !== "revocation" && kind !== "system"

const earlier = (one: DateTime.Utc | null, other: DateTime.Utc) => (one === null ? other : DateTime.min(one, other))

const appendAnswer = ({ contactId, meaning, message }: InboundAnswer, { broadcastId }: AcceptedRecipient) =>
  appendEvent({
    type: meaning === "opt_out" ? "broadcast.opted_out" : "broadcast.replied",
    broadcastId,
    contactId,
    messageId: message.id
  })

/** Its call is under way: what came of it is not stored yet, and who stores that puts the message into the conversation. */
const isInHand = ({ status }: AcceptedRecipient) => status === "in_flight"

const answered = (before: AcceptedRecipient, { meaning, message }: InboundAnswer): AcceptedRecipient => ({
  ...before,
  ...(meaning === "opt_out"
    ? { optedOutAt: earlier(before.optedOutAt, message.at) }
    : { repliedAt: earlier(before.repliedAt, message.at) }),
  conversationId: before.conversationId ?? (isInHand(before) ? null : message.conversationId)
})

/** Whether it is known by now that it was answered earlier: no count tells that. */
const isEarlier = (before: AcceptedRecipient, { repliedAt }: AcceptedRecipient) =>
  before.repliedAt !== null && repliedAt !== null && DateTime.isLessThan(repliedAt, before.repliedAt)

const storeOf = Effect.fnUntraced(function* (account: ChatAccountId, answers: ReadonlyArray<InboundAnswer>) {
  const replies = yield* RecipientReplies
  const now = yield* DateTime.now
  const contactIds = Array.from(new Set(answers.map(({ contactId }) => contactId)))
  const found = (yield* replies.lock(account, contactIds)).filter(
    (each) => isAccepted(each.status) || each.status === "in_doubt" || isInHand(each)
  )
  if (found.length === 0) return
  const { broadcasts, templateOf } = yield* readAcceptedMessages(found)
  const current = new Map(found.map((recipient) => [recipient.id, recipient]))
  const joining: Array<Message> = []
  const taps: Array<ButtonTally & { readonly broadcastId: BroadcastId }> = []
  for (const answer of answers.toSorted((one, other) => DateTime.Order(one.message.at, other.message.at))) {
    const mine = Array.from(current.values()).filter(({ contactId }) => contactId === answer.contactId)
    const before = answeredRecipient(mine, answer, ({ broadcastId }) => broadcasts.get(broadcastId)?.replyHours ?? 0)
    if (before === null) continue
    const after = answered(before, answer)
    current.set(before.id, after)
    const isFirst = answer.meaning === "opt_out" ? before.optedOutAt === null : before.repliedAt === null
    if (isFirst) yield* appendAnswer(answer, before)
    else if (isEarlier(before, after)) yield* Effect.orDie(tellProgress(before.broadcastId))
    const template = templateOf(before)
    // What quotes no message may be a tap on a button of another one. What one in hand is known by there is not known here yet.
    const isOwn = answer.quoted === before.providerMessageId || isInHand(before)
    const isTap = template !== undefined && answer.quoted !== null && isOwn
    const button = isTap ? tappedButton(template, answer) : null
    if (button !== null) taps.push({ broadcastId: before.broadcastId, variant: before.variant, button, count: 1 })
    if (before.conversationId === null && !isInHand(before) && template !== undefined) {
      const { at, conversationId } = answer.message
      joining.push(messageOf(before, template, conversationId, at, now))
    }
  }
  yield* (yield* Messages).insert(account, joining)
  yield* (yield* ButtonTaps).add(taps)
  yield* replies.save(
    found.flatMap((before) => {
      const after = current.get(before.id) ?? before
      return after === before ? [] : [after]
    })
  )
})

/**
 * Stores which recipients these messages answer or opt out by, puts what was answered into their conversations, and confirms to those who
 * have opted out that they have.
 */
export const storeAnswers = Effect.fnUntraced(function* (answers: ReadonlyArray<InboundAnswer>) {
  const accounts = Map.groupBy(answers.filter(isAnswer), ({ chatAccountId }) => chatAccountId)
  yield* Effect.forEach(
    Array.from(accounts).toSorted(([one], [other]) => (one < other ? -1 : 1)),
    ([account, group]) => storeOf(account, group),
    { discard: true }
  )
  return yield* answerOptOuts(answers)
})
