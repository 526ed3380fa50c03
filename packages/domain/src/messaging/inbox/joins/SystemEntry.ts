import type { DateTime } from "effect"
import type { ChatAccountId } from "../../chat/index.ts"
import type { ConversationId, MessageId } from "../Ids.ts"
import { Message, type MessageAuthor } from "../Message.ts"

/** A message of the system in a conversation, about what has happened to it. */
export interface SystemEntry {
  readonly id: MessageId
  readonly conversationId: ConversationId
  readonly chatAccountId: ChatAccountId
  readonly text: string
  readonly author: MessageAuthor
  readonly at: DateTime.Utc
}

/** The entry as a message. It does not count as unread, and it is sent to nobody. */
export const systemMessage = ({ at, author, conversationId, id, text }: SystemEntry): Message =>
  new Message({
    id,
    conversationId,
    direction: "inbound",
    kind: "system",
    text,
    media: null,
    template: null,
    interactive: null,
    location: null,
    contacts: null,
    replyToId: null,
    author,
    recipient: null,
    status: "received",
    error: null,
    providerMessageId: null,
    at,
    sentAt: null,
    deliveredAt: null,
    readAt: null,
    failedAt: null,
    createdAt: at
  })
