import { DateTime, Equal } from "effect"
import { unvalidatedUpdate } from "../../kernel/index.ts"
import type { Remedy } from "../chat/index.ts"
import { Message, type MessageAuthor, type MessageError } from "./Message.ts"

/** Who writes as a person of the team. */
export const personAuthorKinds: ReadonlySet<MessageAuthor["kind"]> = new Set(["user", "operator", "phone_app"])

/** Whether a person of the team has written it, and no machine. */
export const isByPerson = ({ author }: Pick<Message, "author">): boolean => personAuthorKinds.has(author.kind)

/**
 * Whether the message ends the wait of the contact once it is accepted. What automations and broadcasts say does not, nor a reaction, nor
 * what takes something back.
 */
export const isAnswer = ({ author, direction, kind }: Pick<Message, "author" | "direction" | "kind">): boolean =>
  direction === "outbound" &&
  kind !== "reaction" &&
  kind !== "revocation" &&
  (personAuthorKinds.has(author.kind) || author.kind === "token")

/** When the provider accepted a message, by the earliest that it has said; `null` where it has not, or where the message has failed. */
export const acceptedAt = ({
  deliveredAt,
  readAt,
  sentAt,
  status
}: Pick<Message, "status" | "sentAt" | "deliveredAt" | "readAt">): DateTime.Utc | null => {
  if (status !== "sent" && status !== "delivered" && status !== "read") return null
  const times = [sentAt, deliveredAt, readAt].filter((time) => time !== null)
  return times.length === 0 ? null : times.reduce(DateTime.min)
}

/** What becomes of a message once it is written. */
export type MessageProgress = Pick<
  Message,
  "status" | "error" | "pricing" | "providerMessageId" | "sentAt" | "deliveredAt" | "readAt" | "failedAt"
>

const updateMessage = unvalidatedUpdate(Message)

/** The message, as far as it has come by now. What it is made of was checked when it was made, and thousands of receipts come in a second. */
export const withProgress = (message: Message, progress: Partial<MessageProgress>): Message =>
  updateMessage(message, progress)

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

/** Why a message has failed, by what follows from it. These codes are for programs, and stay as they are. */
export const messageErrorCodes: Readonly<Record<Remedy, string>> = {
  retry: "provider_unavailable",
  slow_down: "rate_limited",
  delay_recipient: "recipient_busy",
  skip_recipient: "recipient_unreachable",
  skip_for_now: "recipient_limit_reached",
  opt_out: "recipient_opted_out",
  needs_template: "service_window_closed",
  refresh_template: "template_mismatch",
  stop_account: "chat_account_stopped",
  reauthorize: "chat_account_unauthorized",
  give_up: "refused"
}

/** What the provider has said against a message, as it is kept with the message. */
export const toMessageError = (refusal: {
  readonly remedy: Remedy
  readonly code: number
  readonly reason: string
}): MessageError => ({ code: messageErrorCodes[refusal.remedy], providerCode: refusal.code, reason: refusal.reason })
