import { DateTime, Effect } from "effect"
import { transact } from "../../../kernel/index.ts"
import type { ChatAccountId } from "../../chat/index.ts"
import type { ConversationId, Message, MessageError } from "../Message.ts"
import { type EarlyReceipt, Messages } from "../Messages.ts"
import { type SendLease, SendQueue } from "../SendQueue.ts"
import { canAdvanceStatus } from "../conversationStates.ts"
import { withReceipt } from "../deliveryReceipts.ts"
import { appendEvent } from "../events.ts"
import { isSameProgress, withProgress } from "../messageProgress.ts"
import { Waits } from "../waiting/Waits.ts"
import { otherEndedWaits, endedWaits, saveWaits, waitChanges } from "../waiting/waitStorage.ts"
import { eraseAcceptedCodes } from "../writing/oneTimeCodes.ts"

/** Result of a provider call. */
export type SendResult =
  | { readonly kind: "sent"; readonly providerMessageId: string }
  | { readonly kind: "failed"; readonly error: MessageError }
  | { readonly kind: "in_doubt" }
  /** Nothing is left to do for the message. */
  | { readonly kind: "over" }

/** Removes the failure that a late receipt reported for an earlier attempt, because the provider has accepted the message again. */
const clearEarlierFailure = (before: Message, providerMessageId: string): Message =>
  before.status === "failed" && before.providerMessageId !== providerMessageId
    ? withProgress(before, { status: "queued", failedAt: null, error: null })
    : before

const applySendResult = (
  before: Message,
  sent: SendResult,
  early: ReadonlyArray<EarlyReceipt>,
  now: DateTime.Utc
): Message => {
  switch (sent.kind) {
    case "over":
      return before
    case "in_doubt":
      return canAdvanceStatus(before.status, "in_doubt")
        ? withProgress(before, { status: "in_doubt", error: null })
        : before
    case "failed":
      return canAdvanceStatus(before.status, "failed")
        ? withProgress(before, { status: "failed", failedAt: now, error: sent.error })
        : before
    case "sent": {
      const { providerMessageId } = sent
      const named = withProgress(clearEarlierFailure(before, providerMessageId), { providerMessageId })
      const taken: EarlyReceipt = { providerMessageId, status: "sent", at: now, error: null }
      return [taken, ...early].reduce(withReceipt, named)
    }
  }
}

/** Result of a message, with its lease. */
export interface Settlement {
  readonly lease: SendLease
  readonly sent: SendResult
}

const loadMessageChanges = Effect.fnUntraced(function* (
  chatAccountId: ChatAccountId,
  settlements: ReadonlyArray<Settlement>
) {
  const leases = settlements.map(({ lease }) => lease)
  const held = yield* (yield* Waits).lockMessages(chatAccountId, leases)
  const settled = yield* (yield* SendQueue).settleAll(leases)
  const byId = new Map(held.map((each) => [each.message.id, each]))
  const decided = settlements.flatMap(({ lease: { hasBegun, messageId }, sent }) => {
    const each = byId.get(messageId)
    return each !== undefined && (settled.has(messageId) || hasBegun) ? [{ ...each, sent }] : []
  })
  const sentIds = decided.flatMap(({ sent }) => (sent.kind === "sent" ? [sent.providerMessageId] : []))
  const early = yield* (yield* Messages).removeEarly(chatAccountId, sentIds)
  const now = yield* DateTime.now
  return decided.flatMap(({ message: was, sent, waiting }) => {
    const own = sent.kind === "sent" ? early.filter((each) => each.providerMessageId === sent.providerMessageId) : []
    const is = applySendResult(was, sent, own, now)
    return isSameProgress(was, is) ? [] : [{ waiting, was, is }]
  })
})

const settleBatch = Effect.fnUntraced(function* (chatAccountId: ChatAccountId, settlements: ReadonlyArray<Settlement>) {
  const changes = yield* loadMessageChanges(chatAccountId, settlements)
  if (changes.length === 0) return
  const moves = yield* waitChanges(changes)
  const endings = endedWaits(moves)
  const messages = changes.map(({ is }) => is)
  yield* (yield* Messages).saveAll(chatAccountId, messages, endings)
  yield* saveWaits(chatAccountId, moves, otherEndedWaits(endings, messages))
  yield* eraseAcceptedCodes(changes)
  for (const { is, was } of changes) {
    const { conversationId, id: messageId, status: to } = is
    const { status: from } = was
    if (from !== to) {
      yield* appendEvent({ type: "message.status_changed", conversationId, messageId, from, to })
    }
  }
}, transact)

/** Splits settlements into rounds with one message per conversation. Each message then sees the wait after the previous one. */
const toConversationRounds = (settlements: ReadonlyArray<Settlement>): ReadonlyArray<ReadonlyArray<Settlement>> => {
  const turns: Array<Array<Settlement>> = []
  const places = new Map<ConversationId, number>()
  for (const settlement of settlements) {
    const { conversationId } = settlement.lease
    const place = places.get(conversationId) ?? 0
    places.set(conversationId, place + 1)
    const turn = turns[place]
    if (turn === undefined) turns.push([settlement])
    else turn.push(settlement)
  }
  return turns
}

/**
 * Stores the results of sends over an account, together with early receipts. The result of a call is stored even after the lease was lost. The new
 * owner knows less, and no status moves backwards. Without a call, the new owner decides.
 */
export const settleAll = (chatAccountId: ChatAccountId, settlements: ReadonlyArray<Settlement>) =>
  Effect.forEach(toConversationRounds(settlements), (turn) => settleBatch(chatAccountId, turn), { discard: true })
