import { DateTime } from "effect"
import type { ReportedPayment } from "../chat/index.ts"
import type { Message, MessageError } from "./Message.ts"
import type { MessageDetails, MessagePricing } from "./MessageDetails.ts"
import type { EarlyReceipt } from "./Messages.ts"
import { canAdvanceStatus } from "./conversationStates.ts"
import { toMessageError, withProgress } from "./messageProgress.ts"

const earlier = (one: DateTime.Utc | null, other: DateTime.Utc): DateTime.Utc =>
  one === null || DateTime.isLessThan(other, one) ? other : one

/** The earlier of two failures counts. At equal times the choice is deterministic. */
const isDecisiveFailure = (message: Message, at: DateTime.Utc, error: MessageError | null): boolean => {
  if (message.failedAt === null || message.error === null) return true
  if (!DateTime.Equivalence(at, message.failedAt)) return DateTime.isLessThan(at, message.failedAt)
  return (error?.providerCode ?? 0) < (message.error.providerCode ?? 0)
}

const withFailure = (message: Message, at: DateTime.Utc, error: MessageError | null): Message => {
  const isFailure = message.status === "failed" || canAdvanceStatus(message.status, "failed")
  return isFailure && isDecisiveFailure(message, at, error)
    ? withProgress(message, { status: "failed", failedAt: at, error })
    : message
}

const pricingKey = ({ billable, category, model, type }: MessagePricing) =>
  JSON.stringify([billable, category, model, type])

const isLaterPricing = (reported: MessagePricing, pricing: MessagePricing) =>
  DateTime.Equivalence(reported.at, pricing.at)
    ? pricingKey(reported) > pricingKey(pricing)
    : DateTime.isGreaterThan(reported.at, pricing.at)

const later = (one: DateTime.Utc | null, other: DateTime.Utc | null): DateTime.Utc | null =>
  one === null || other === null ? (one ?? other) : DateTime.max(one, other)

/** The later of two prices counts. At equal times the choice is deterministic. Only one of the receipts contains the free entry point. */
const withPricing = (message: Message, reported: MessagePricing): Message => {
  const { pricing } = message
  if (pricing === null) return withProgress(message, { pricing: reported })
  const latest = isLaterPricing(reported, pricing) ? reported : pricing
  const freeEntryPointExpiresAt = later(pricing.freeEntryPointExpiresAt, reported.freeEntryPointExpiresAt)
  return withProgress(message, { pricing: { ...latest, freeEntryPointExpiresAt } })
}

/**
 * Applies a receipt to an outgoing message. Order and repetition of receipts do not change the result: the furthest status and the first time of each
 * kind count. A read message counts as delivered, even without a receipt for that. A played voice message counts as read.
 */
export const withReceipt = (
  before: Message,
  { at: reportedAt, error, pricing, status }: Pick<EarlyReceipt, "at" | "status" | "error" | "pricing">
): Message => {
  if (before.direction === "inbound") return before
  // Providers report whole seconds by their own clocks. A receipt is never older than its message.
  const at = DateTime.max(reportedAt, before.at)
  const message =
    pricing === undefined ? before : withPricing(before, { freeEntryPointExpiresAt: null, ...pricing, at })
  if (status === "failed") return withFailure(message, at, error === null ? null : toMessageError(error))
  const isPlayed = status === "played"
  const isRead = isPlayed || status === "read"
  const isThere = isRead || status === "delivered"
  const times = {
    sentAt: earlier(message.sentAt, at),
    deliveredAt: isThere ? earlier(message.deliveredAt, at) : message.deliveredAt,
    readAt: isRead ? earlier(message.readAt, at) : message.readAt,
    playedAt: isPlayed ? earlier(message.playedAt, at) : message.playedAt
  }
  const reached = isRead ? "read" : status
  if (!canAdvanceStatus(message.status, reached)) return withProgress(message, times)
  // An earlier failure no longer counts, because the message has arrived.
  return withProgress(message, { ...times, status: reached, failedAt: null, error: null })
}

type Payment = NonNullable<MessageDetails["payment"]>

const paymentStatuses = ["pending", "failed", "captured"]

/** Of two reports, the later one counts. At equal times the choice is deterministic, and a captured payment counts. */
const isLaterPayment = (reported: Payment, known: Payment) => {
  if (reported.at !== known.at) return reported.at > known.at
  const [one, other] = [reported, known].map(({ status }) => paymentStatuses.indexOf(status))
  return one === other ? JSON.stringify(reported) > JSON.stringify(known) : (one ?? 0) > (other ?? 0)
}

/** Applies the report of a payment to the message with its order. */
export const withPayment = (before: Message, reported: ReportedPayment, at: DateTime.Utc): Message => {
  const payment = { ...reported, at: DateTime.formatIso(DateTime.max(at, before.at)) }
  const known = before.details?.payment
  return known === undefined || isLaterPayment(payment, known)
    ? withProgress(before, { details: { ...before.details, payment } })
    : before
}
