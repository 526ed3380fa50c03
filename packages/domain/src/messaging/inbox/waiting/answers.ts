import { DateTime } from "effect"
import type { Message, MessageAuthor } from "../Message.ts"

/** Who writes as a person of the team. */
export const people: ReadonlySet<MessageAuthor["kind"]> = new Set(["user", "operator", "phone_app"])

/** Whether a person of the team has written it, and no machine. */
export const isByPerson = ({ author }: Pick<Message, "author">): boolean => people.has(author.kind)

/**
 * Whether the message ends the wait of the contact once it is accepted. What automations and broadcasts say does not, nor a reaction, nor
 * what takes something back.
 */
export const isAnswer = ({ author, direction, kind }: Pick<Message, "author" | "direction" | "kind">): boolean =>
  direction === "outbound" &&
  kind !== "reaction" &&
  kind !== "revocation" &&
  (people.has(author.kind) || author.kind === "token")

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
