import { DateTime } from "effect"
import { type MessageTemplate, previewOf } from "../../messaging/chat/index.ts"
import { type ConversationId, Message, MessageId } from "../../messaging/inbox/index.ts"
import type { AcceptedRecipient } from "../RecipientReplies.ts"

/** The message that a recipient got, as its conversation has it: it stands before what answers it. */
export const messageOf = (
  recipient: AcceptedRecipient,
  template: MessageTemplate,
  conversationId: ConversationId,
  answeredAt: DateTime.Utc,
  now: DateTime.Utc
): Message => {
  const { address, broadcastId, deliveredAt, failedAt, id, providerMessageId, readAt, sentAt, status } = recipient
  const values = recipient.values ?? {}
  const isTold = status === "sent" || status === "delivered" || status === "read" || status === "failed"
  return new Message({
    id: MessageId.make(id),
    conversationId,
    direction: "outbound",
    kind: "template",
    text: previewOf(template, values).body,
    media: null,
    template: { id: template.id, name: template.name, language: template.language, values },
    interactive: null,
    location: null,
    contacts: null,
    replyToId: null,
    author: { kind: "broadcast", id: broadcastId },
    recipient: address,
    status: isTold ? status : "in_doubt",
    error: recipient.error,
    providerMessageId,
    at: DateTime.min(sentAt, answeredAt),
    sentAt: isTold ? sentAt : null,
    deliveredAt,
    readAt,
    failedAt,
    createdAt: now
  })
}
