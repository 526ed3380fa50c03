import { DateTime, Equal } from "effect"
import { uncheckedChange } from "../../kernel/index.ts"
import { Message } from "./Message.ts"

/** What becomes of a message once it is written. */
export type MessageProgress = Pick<
  Message,
  "status" | "error" | "pricing" | "providerMessageId" | "sentAt" | "deliveredAt" | "readAt" | "failedAt"
>

const changed = uncheckedChange(Message)

/** The message, as far as it has come by now. What it is made of was checked when it was made, and thousands of receipts come in a second. */
export const withProgress = (message: Message, progress: Partial<MessageProgress>): Message =>
  changed(message, progress)

/** Whether two instants are the same, where there may be none. */
export const isSameInstant = (one: DateTime.Utc | null, other: DateTime.Utc | null): boolean =>
  one === other || (one !== null && other !== null && DateTime.Equivalence(one, other))

/** Whether a message has come no further. */
export const isSameProgress = (was: MessageProgress, is: MessageProgress): boolean =>
  was.status === is.status &&
  was.providerMessageId === is.providerMessageId &&
  isSameInstant(was.sentAt, is.sentAt) &&
  isSameInstant(was.deliveredAt, is.deliveredAt) &&
  isSameInstant(was.readAt, is.readAt) &&
  isSameInstant(was.failedAt, is.failedAt) &&
  Equal.equals(was.error, is.error) &&
  Equal.equals(was.pricing, is.pricing)
