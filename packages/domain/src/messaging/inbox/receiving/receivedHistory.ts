import type { ChatAccountId } from "../../chat/index.ts"
import type { Message } from "../Message.ts"
import { senderRecipient } from "./senders.ts"
import {
  type AddressEvent,
  eventSenderDetails,
  followingFileId,
  type HistoryEvent,
  occurredAt
} from "./ContactEvent.ts"
import type { InboundBatch } from "./InboundBatch.ts"
import { withPastMessage } from "./inboundActivity.ts"
import { putMessage } from "./receivedMessages.ts"

/** Status of an older message of the business, from the provider's status of it. */
const outboundStatus = (status: string | null): Message["status"] => {
  switch (status) {
    case "read":
    case "played":
      return "read"
    case "delivered":
      return "delivered"
    case "error":
    case "failed":
      return "failed"
    default:
      return "sent"
  }
}

const sideOf = (chatAccountId: ChatAccountId, contactId: string, event: HistoryEvent) => {
  const at = occurredAt(event)
  if (event.direction === "inbound") {
    return {
      direction: "inbound",
      author: { kind: "contact", id: contactId },
      recipient: null,
      status: "received",
      sentAt: null,
      referral: null
    } as const
  }
  const status = outboundStatus(event.status)
  return {
    direction: "outbound",
    author: { kind: "phone_app", id: chatAccountId },
    recipient: senderRecipient(event.person),
    status,
    sentAt: status === "failed" ? null : at,
    failedAt: status === "failed" ? at : null,
    referral: null
  } as const
}

/** Returns the event with the id of its message; `null` if the message is known. */
const withOwnId = (batch: InboundBatch, chatAccountId: ChatAccountId, event: HistoryEvent): HistoryEvent | null => {
  const known = batch.known(chatAccountId, event.id)
  if (known === null) return event
  const id = known.kind === "unsupported" ? followingFileId(event) : null
  return id === null || batch.known(chatAccountId, id) !== null ? null : { ...event, id }
}

/** Adds a message from before the connection of the number. It emits no event, counts as read, and opens no service window. */
export const receiveHistory = (batch: InboundBatch, chatAccountId: ChatAccountId, reported: HistoryEvent): void => {
  const event = withOwnId(batch, chatAccountId, reported)
  if (event === null) return
  const contact = batch.contacts.resolve(event.person, eventSenderDetails(event))
  if (contact === null) {
    batch.ignore()
    return
  }
  const side = sideOf(chatAccountId, contact.id, event)
  const { conversation, message } = putMessage(batch, chatAccountId, contact.id, event, true, side)
  batch.change(conversation, withPastMessage(conversation, message, batch.now))
}

/** Adds the person of an entry in the address book, with the name. A removed entry changes no contact. */
export const receiveAddress = (batch: InboundBatch, { action, person, ...event }: AddressEvent): void => {
  if (action === "remove") return
  if (batch.contacts.resolve(person, eventSenderDetails({ ...event, action, person })) === null) batch.ignore()
}
