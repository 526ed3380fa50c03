import { DateTime } from "effect"
import type { Message, MessageError } from "./Message.ts"
import type { MessagePricing } from "./MessageDetails.ts"
import type { EarlyReceipt } from "./Messages.ts"
import { movesOn } from "./conversationStates.ts"
import { errorOf, withProgress } from "./messageProgress.ts"

const earlier = (one: DateTime.Utc | null, other: DateTime.Utc): DateTime.Utc =>
  one === null || DateTime.isLessThan(other, one) ? other : one

/** Of two failures, the earlier one counts; of two at the same time always the same one. */
const isWeightier = (message: Message, at: DateTime.Utc, error: MessageError | null): boolean => {
  if (message.failedAt === null || message.error === null) return true
  if (!DateTime.Equivalence(at, message.failedAt)) return DateTime.isLessThan(at, message.failedAt)
  return (error?.providerCode ?? 0) < (message.error.providerCode ?? 0)
}

const failed = (message: Message, at: DateTime.Utc, error: MessageError | null): Message => {
  const isFailure = message.status === "failed" || movesOn(message.status, "failed")
  return isFailure && isWeightier(message, at, error)
    ? withProgress(message, { status: "failed", failedAt: at, error })
    : message
}

const wordsOf = ({ billable, category, model, type }: MessagePricing) =>
  JSON.stringify([billable, category, model, type])

/** Of two prices, the later one counts; of two at the same time always the same one. */
const withPricing = (message: Message, told: MessagePricing): Message => {
  const { pricing } = message
  const isLater =
    pricing === null ||
    (DateTime.Equivalence(told.at, pricing.at)
      ? wordsOf(told) > wordsOf(pricing)
      : DateTime.isGreaterThan(told.at, pricing.at))
  return isLater ? withProgress(message, { pricing: told }) : message
}

/**
 * A message that went out, after a receipt for it. In which order receipts come, and how often, makes no difference: what is
 * further stands, and of each time the first. Whoever has read a message had it delivered, also where nobody says so.
 */
export const withReceipt = (
  before: Message,
  { at: told, error, pricing, status }: Pick<EarlyReceipt, "at" | "status" | "error" | "pricing">
): Message => {
  if (before.direction === "inbound") return before
  // Providers give whole seconds by their own clocks: no receipt is older than its message.
  const at = DateTime.max(told, before.at)
  const message = pricing === undefined ? before : withPricing(before, { ...pricing, at })
  if (status === "failed") return failed(message, at, error === null ? null : errorOf(error))
  const isRead = status === "read"
  const isThere = isRead || status === "delivered"
  const times = {
    sentAt: earlier(message.sentAt, at),
    deliveredAt: isThere ? earlier(message.deliveredAt, at) : message.deliveredAt,
    readAt: isRead ? earlier(message.readAt, at) : message.readAt
  }
  if (!movesOn(message.status, status)) return withProgress(message, times)
  // An earlier failure does not count any more: the message did arrive.
  return withProgress(message, { ...times, status, failedAt: null, error: null })
}
