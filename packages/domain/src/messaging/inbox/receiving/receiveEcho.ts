import type { ChatAccountId } from "../../chat/index.ts"
import { withReceipt } from "../receipts.ts"
import { withEcho } from "./inbound.ts"
import { recipientOf } from "./ContactResolver.ts"
import { occurredAt } from "./occurredAt.ts"
import type { EchoEvent } from "./PersonalEvent.ts"
import type { InboundBatch } from "./InboundBatch.ts"
import { putMessage } from "./putMessage.ts"

/** Adds what the business wrote elsewhere to the conversation, without a change of its status. */
export const receiveEcho = (batch: InboundBatch, chatAccountId: ChatAccountId, event: EchoEvent): void => {
  if (batch.known(chatAccountId, event.id) !== null) return
  const contact = batch.contacts.resolve(event.to, null)
  if (contact === null) {
    batch.ignore()
    return
  }
  const { conversation, message } = putMessage(batch, chatAccountId, contact.id, event, true, {
    direction: "outbound",
    author: { kind: "phone_app", id: chatAccountId },
    recipient: recipientOf(event.to),
    status: "sent",
    sentAt: occurredAt(event),
    referral: null
  })
  batch.change(conversation, withEcho(conversation, message, batch.now))
  batch.moveWaits(null, message)
  const { conversationId, id: messageId, kind, status: from } = message
  batch.emit({ type: "message.echoed", conversationId, messageId, contactId: contact.id, kind })
  const after = batch.removeEarly(chatAccountId, event.id).reduce(withReceipt, message)
  batch.keep(chatAccountId, after)
  batch.moveWaits(message, after)
  const { status: to } = after
  if (from !== to) batch.emit({ type: "message.status_changed", conversationId, messageId, from, to })
}
