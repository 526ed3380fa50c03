import { DateTime, Equal } from "effect"
import { unvalidatedUpdate } from "../../kernel/index.ts"
import type { Remedy } from "../chat/index.ts"
import { Message, type MessageAuthor, type MessageError } from "./Message.ts"

/** Authors that are persons of the team. */
export const personAuthorKinds: ReadonlySet<MessageAuthor["kind"]> = new Set(["user", "operator", "phone_app"])

/** Whether a person of the team is the author. */
export const isByPerson = ({ author }: Pick<Message, "author">): boolean => personAuthorKinds.has(author.kind)

/** Whether acceptance of the message ends the contact's wait. Messages of automations and broadcasts, reactions and revocations do not. */
export const isAnswer = ({ author, direction, kind }: Pick<Message, "author" | "direction" | "kind">): boolean =>
  direction === "outbound" &&
  kind !== "reaction" &&
  kind !== "revocation" &&
  (personAuthorKinds.has(author.kind) || author.kind === "token")

/** Returns the earliest reported time of acceptance by the provider; `null` without one, or for a failed message. */
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

/** Fields of a message that change after it was written. */
export type MessageProgress = Pick<
  Message,
  | "status"
  | "error"
  | "details"
  | "pricing"
  | "providerMessageId"
  | "sentAt"
  | "deliveredAt"
  | "readAt"
  | "playedAt"
  | "failedAt"
>

const updateMessage = unvalidatedUpdate(Message)

/** Applies progress to a message without validation. The message was validated at creation, and thousands of receipts arrive per second. */
export const withProgress = (message: Message, progress: Partial<MessageProgress>): Message =>
  updateMessage(message, progress)

/** Whether both instants are equal, or both are `null`. */
export const isSameInstant = (one: DateTime.Utc | null, other: DateTime.Utc | null): boolean =>
  one === other || (one !== null && other !== null && DateTime.Equivalence(one, other))

/** Whether the progress is unchanged. */
export const isSameProgress = (was: MessageProgress, is: MessageProgress): boolean =>
  was.status === is.status &&
  was.providerMessageId === is.providerMessageId &&
  isSameInstant(was.sentAt, is.sentAt) &&
  isSameInstant(was.deliveredAt, is.deliveredAt) &&
  isSameInstant(was.readAt, is.readAt) &&
  isSameInstant(was.playedAt, is.playedAt) &&
  isSameInstant(was.failedAt, is.failedAt) &&
  Equal.equals(was.error, is.error) &&
  Equal.equals(was.details?.payment, is.details?.payment) &&
  Equal.equals(was.pricing, is.pricing)

/** Error codes of failed messages by remedy. Programs use these codes, so they must not change. */
export const messageErrorCodes: Readonly<Record<Remedy, string>> = {
  retry: "provider_unavailable",
  slow_down: "rate_limited",
  delay_recipient: "recipient_busy",
  skip_recipient: "recipient_unreachable",
  skip_for_now: "recipient_limit_reached",
  opt_out: "recipient_opted_out",
  needs_template: "service_window_closed",
  refresh_template: "template_mismatch",
  fix_values: "refused",
  stop_campaigns: "chat_account_limited",
  try_later: "provider_limit_reached",
  stop_account: "chat_account_stopped",
  reauthorize: "chat_account_unauthorized",
  give_up: "refused"
}

/** Converts a refusal of the provider to the stored error of a message. */
export const toMessageError = (refusal: {
  readonly remedy: Remedy
  readonly code: number
  readonly reason: string
}): MessageError => ({ code: messageErrorCodes[refusal.remedy], providerCode: refusal.code, reason: refusal.reason })
