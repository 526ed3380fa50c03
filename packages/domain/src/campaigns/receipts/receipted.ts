import { DateTime } from "effect"
import { type EarlyReceipt, errorOf, type MessageError } from "../../messaging/inbox/index.ts"
import { recipientTransitions, type RecipientStatus } from "../RecipientStatus.ts"
import type { CalledRecipient } from "../RecipientReceipts.ts"

const earlier = (one: DateTime.Utc | null, other: DateTime.Utc): DateTime.Utc =>
  one === null || DateTime.isLessThan(other, one) ? other : one

/** Whether a receipt can tell something of a recipient in this status: there was a call. */
const wasCalled = (status: RecipientStatus): boolean =>
  status === "in_flight" || recipientTransitions[status].includes("read") || status === "read"

/** One that is in hand is where the answer of its call is not known yet. */
const movesOn = (from: RecipientStatus, to: RecipientStatus): boolean =>
  recipientTransitions[from === "in_flight" ? "in_doubt" : from].includes(to)

/** Of two failures, the earlier one counts; of two at the same time always the same one. */
const isWeightier = ({ error: known, failedAt }: CalledRecipient, at: DateTime.Utc, error: MessageError | null) => {
  if (failedAt === null || known === null) return true
  if (!DateTime.Equivalence(at, failedAt)) return DateTime.isLessThan(at, failedAt)
  return (error?.providerCode ?? 0) < (known.providerCode ?? 0)
}

const failed = (before: CalledRecipient, at: DateTime.Utc, error: MessageError | null): CalledRecipient => {
  const isFailure = before.status === "failed" || movesOn(before.status, "failed")
  return isFailure && isWeightier(before, at, error) ? { ...before, status: "failed", failedAt: at, error } : before
}

/**
 * A recipient after a receipt. In which order receipts come, and how often, makes no difference: what is further stands, and of each
 * time the first. Whoever has read a message had it delivered, also where nobody says so.
 */
export const receipted = (
  before: CalledRecipient,
  { at: told, error, providerMessageId, status }: Pick<EarlyReceipt, "at" | "error" | "providerMessageId" | "status">
): CalledRecipient => {
  if (!wasCalled(before.status)) return before
  // Providers give whole seconds by their own clocks: no receipt is older than the call.
  const at = before.calledAt === null ? told : DateTime.max(told, before.calledAt)
  const named = { ...before, providerMessageId: before.providerMessageId ?? providerMessageId }
  if (status === "failed") return failed(named, at, error === null ? null : errorOf(error))
  const isRead = status === "read"
  const isThere = isRead || status === "delivered"
  const times = {
    sentAt: earlier(named.sentAt, at),
    deliveredAt: isThere ? earlier(named.deliveredAt, at) : named.deliveredAt,
    readAt: isRead ? earlier(named.readAt, at) : named.readAt
  }
  if (!movesOn(named.status, status)) return { ...named, ...times }
  // An earlier failure does not count any more: the message did arrive.
  return { ...named, ...times, status, failedAt: null, error: null }
}
