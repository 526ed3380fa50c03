import type { AcceptedMessage, ResolvedRecipient } from "@parley/domain/messaging"
import { listAt, textAt } from "../../json.ts"
import { heldStatuses } from "./assumptions.ts"
import { phoneIn } from "./readDetails.ts"

const resolvedRecipientIn = (body: unknown): ResolvedRecipient | null => {
  const [contact] = listAt(body, "contacts")
  return contact === undefined
    ? null
    : {
        input: textAt(contact, "input"),
        phone: phoneIn(textAt(contact, "wa_id")),
        chatUser: textAt(contact, "user_id")
      }
}

/** Reads the answer to a message; `null` without a message id. */
export const acceptedIn = (body: unknown): AcceptedMessage | null => {
  const [message] = listAt(body, "messages")
  const providerMessageId = textAt(message, "id")
  if (providerMessageId === null) return null
  const recipient = resolvedRecipientIn(body)
  const held = heldStatuses.has(textAt(message, "message_status") ?? "")
  return { providerMessageId, held, ...(recipient !== null && { recipient }) }
}
