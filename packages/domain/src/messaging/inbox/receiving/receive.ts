import { DateTime, Duration, Equal } from "effect"
import type { ChatAccountId } from "../../chat/index.ts"
import type { Message } from "../Message.ts"
import type { EarlyReceipt } from "../Messages.ts"
import { withPayment, withReceipt } from "../deliveryReceipts.ts"
import { isAnswer, isSameProgress, withProgress } from "../messageProgress.ts"
import { InboundBatch } from "./InboundBatch.ts"
import { type LoadedState, type ReceivingOutcome, resolveCompleteSenders } from "./LoadedState.ts"
import {
  occurredAt,
  type ContactEvent,
  type PaymentEvent,
  type PreferenceEvent,
  type ReceiptEvent
} from "./ContactEvent.ts"
import { receiveAddress, receiveHistory } from "./receivedHistory.ts"
import { receiveEcho, receiveMessage } from "./receivedMessages.ts"

/** Stores the contact's marketing consent, independent of the account that received it. */
const receivePreference = (batch: InboundBatch, event: PreferenceEvent): void => {
  const { from, marketing } = event
  const contact = batch.contacts.resolve(from, { name: null })
  if (contact === null) {
    batch.ignore()
    return
  }
  const state = marketing === "stop" ? "unsubscribed" : "subscribed"
  batch.contacts.recordConsent(contact.id, { state, source: "chat_preferences", evidence: null, at: occurredAt(event) })
}

const recordOptOut = (batch: InboundBatch, event: ReceiptEvent) => {
  const { error, to } = event
  const contact = batch.contacts.find(to)
  if (contact === null) return
  const evidence = error === null ? null : error.reason
  batch.contacts.recordConsent(contact.id, {
    state: "unsubscribed",
    source: "chat_refusal",
    evidence,
    at: occurredAt(event)
  })
}

const quarterHour = Duration.toMillis("15 minutes")

const toQuarterHour = (at: DateTime.Utc | null) =>
  at === null ? null : Math.floor(DateTime.toEpochMillis(at) / quarterHour)

const toSecond = (at: DateTime.Utc | null) => (at === null ? null : Math.floor(DateTime.toEpochMillis(at) / 1_000))

/**
 * Returns the times that a late receipt has moved far enough to affect counts. Counts use quarter hours; the acceptance of an answer uses seconds,
 * because it may have ended a wait.
 */
const movedTimes = (before: Message, after: Message) =>
  (["sentAt", "failedAt"] as const).filter((time) => {
    const placeOf = time === "sentAt" && isAnswer(before) ? toSecond : toQuarterHour
    return placeOf(before[time]) !== placeOf(after[time])
  })

const pricingFacts = ({ pricing }: Message) =>
  pricing === null ? null : [pricing.billable, pricing.category, pricing.model, pricing.type]

/** Returns the changed facts that a receipt has added to a message without a new status: the first play, and a new price. */
const changedFacts = (before: Message, after: Message, isSameStatus: boolean) => [
  ...(before.playedAt === null && after.playedAt !== null ? ["playedAt"] : []),
  ...(isSameStatus && !Equal.equals(pricingFacts(before), pricingFacts(after)) ? ["pricing"] : [])
]

const applyReceipt = (batch: InboundBatch, chatAccountId: ChatAccountId, before: Message, receipt: EarlyReceipt) => {
  if (before.direction === "inbound") return
  const { providerMessageId } = receipt
  const isSame = before.providerMessageId === providerMessageId
  const waitsAgain = before.status === "queued" && before.providerMessageId !== null
  // The message is queued again. Only a delivery counts of the earlier attempt.
  if (waitsAgain && isSame && (receipt.status === "sent" || receipt.status === "failed")) return
  const isNaming = before.providerMessageId === null || (waitsAgain && !isSame)
  // The message was sent more than once. The failure of an earlier attempt does not apply to the last one.
  if (!isNaming && !isSame && receipt.status === "failed") return
  const named = isNaming ? withProgress(before, { providerMessageId }) : before
  const after = [receipt, ...batch.removeEarly(chatAccountId, providerMessageId)].reduce(withReceipt, named)
  if (isSameProgress(before, after)) return
  batch.keep(chatAccountId, after)
  batch.moveWaits(before, after)
  const { conversationId, id: messageId, status: to } = after
  const { status: from } = before
  // Broadcasts report status changes as totals.
  if (from !== to && before.author.kind !== "broadcast")
    batch.emit({ type: "message.status_changed", conversationId, messageId, from, to })
  const isSameStatus = from === to
  const fields =
    before.author.kind === "broadcast"
      ? []
      : [...(isSameStatus ? movedTimes(before, after) : []), ...changedFacts(before, after, isSameStatus)]
  if (fields.length > 0) batch.emit({ type: "message.updated", conversationId, messageId, fields })
}

/** Time of a failure. Whole seconds mean the end of the second, because the message can be sent and fail within one second. */
const failedAt = (event: ReceiptEvent): DateTime.Utc => {
  const isWhole = DateTime.toEpochMillis(event.at) % 1_000 === 0
  return DateTime.min(isWhole ? DateTime.add(event.at, { milliseconds: 999 }) : event.at, event.arrival.at)
}

/** Updates the status of a message from a receipt. A receipt that arrives before its message is stored until then. */
const receiveReceipt = (batch: InboundBatch, chatAccountId: ChatAccountId, event: ReceiptEvent): void => {
  const { id: providerMessageId, error, pricing, status } = event
  if (error?.remedy === "opt_out") recordOptOut(batch, event)
  const receipt: EarlyReceipt = {
    providerMessageId,
    status,
    at: status === "failed" ? failedAt(event) : occurredAt(event),
    error,
    ...(pricing !== undefined && { pricing })
  }
  const found = batch.receipted(chatAccountId, event)
  if (found !== null) applyReceipt(batch, chatAccountId, found, receipt)
  // Messages to groups are not sent by Parley, so no message follows their receipt.
  else if (event.groupId === undefined && !batch.isOutside(event.reference)) batch.await({ chatAccountId, of: receipt })
}

/** Stores the payment of an order with its message. */
const receivePayment = (batch: InboundBatch, chatAccountId: ChatAccountId, event: PaymentEvent): void => {
  const { payment } = event
  const before = batch.receipted(chatAccountId, event)
  if (before === null) return batch.addOtherPayment({ chatAccountId, of: payment })
  const after = before.direction === "inbound" ? before : withPayment(before, payment, occurredAt(event))
  if (isSameProgress(before, after)) return
  batch.keep(chatAccountId, after)
  const { conversationId, id: messageId } = after
  batch.emit({ type: "message.updated", conversationId, messageId, fields: ["details"] })
}

const apply = (batch: InboundBatch, { accounts }: LoadedState, event: ContactEvent) => {
  const chatAccountId = accounts.get(event.phoneId)
  if (chatAccountId === undefined) return batch.ignore()
  switch (event.kind) {
    case "message":
      return receiveMessage(batch, chatAccountId, event)
    case "echo":
      return receiveEcho(batch, chatAccountId, event)
    case "history":
      return receiveHistory(batch, chatAccountId, event)
    case "address":
      return receiveAddress(batch, event)
    case "receipt":
      return receiveReceipt(batch, chatAccountId, event)
    case "payment":
      return receivePayment(batch, chatAccountId, event)
    case "preference":
      return receivePreference(batch, event)
  }
}

/**
 * Computes the outcome of these events. Order, repetition and batching do not change the resulting messages, statuses, counts and windows. Nothing is
 * read or stored here, and the ids of new rows are an input.
 */
export const receiveEvents = (
  known: LoadedState,
  events: ReadonlyArray<ContactEvent>,
  now: DateTime.Utc,
  nextId: () => string
): ReceivingOutcome => {
  const batch = new InboundBatch(known, now, nextId)
  resolveCompleteSenders(batch.contacts, known, events)
  for (const event of events) apply(batch, known, event)
  return batch.outcome
}
