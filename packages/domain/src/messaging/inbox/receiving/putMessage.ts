import type { DateTime } from "effect"
import type { ChatAccountId } from "../../chat/index.ts"
import type { ContactId } from "../../../crm/index.ts"
import type { Conversation } from "../Conversation.ts"
import type { Pair } from "../Conversations.ts"
import { ConversationId } from "../Ids.ts"
import { Message } from "../Message.ts"
import { arrivalId } from "./arrivalId.ts"
import { contentOf } from "./contentOf.ts"
import { begun, conversationFor } from "./inbound.ts"
import { occurredAt } from "./occurredAt.ts"
import { answeredBy, type EchoEvent, type MessageEvent } from "./PersonalEvent.ts"
import { rawOf } from "./rawOf.ts"
import type { InboundBatch } from "./InboundBatch.ts"

const repliedTo = (
  batch: InboundBatch,
  chatAccountId: ChatAccountId,
  conversationId: ConversationId,
  to: string | null
) => {
  const found = to === null ? null : batch.known(chatAccountId, to)
  return found?.conversationId === conversationId ? found.id : null
}

const conversationOf = (batch: InboundBatch, pair: Pair, quiet: boolean, at: DateTime.Utc): Conversation => {
  const found = conversationFor(batch.latest(pair), batch.now)
  if (found !== null) return found
  const conversation = begun(ConversationId.make(batch.nextId()), pair, quiet, at, batch.now)
  batch.emit({ type: "conversation.opened", conversationId: conversation.id, ...pair, status: conversation.status })
  return conversation
}

/** Adds the message to the conversation of the contact over the account. */
export const putMessage = (
  batch: InboundBatch,
  chatAccountId: ChatAccountId,
  contactId: ContactId,
  event: MessageEvent | EchoEvent,
  quiet: boolean,
  side: Pick<Message, "direction" | "author" | "recipient" | "status" | "sentAt" | "referral">
) => {
  const { content } = event
  const at = occurredAt(event)
  const conversation = conversationOf(batch, { contactId, chatAccountId }, quiet, at)
  const { file, parts } = contentOf(content, chatAccountId, batch.nextId, batch.now)
  const answered = answeredBy(event)
  const message = new Message({
    ...parts,
    ...side,
    id: arrivalId(event.arrival, event.id),
    conversationId: conversation.id,
    template: null,
    raw: rawOf(event, parts.kind),
    replyToId: repliedTo(batch, chatAccountId, conversation.id, answered),
    error: null,
    providerMessageId: event.id,
    at,
    deliveredAt: null,
    readAt: null,
    failedAt: null,
    createdAt: batch.now
  })
  batch.keep(chatAccountId, message)
  // A change of a message is looked up by that message's provider id, even if the message is known.
  const isChange = content.kind === "edit" || content.kind === "revocation"
  if (answered !== null && (message.replyToId === null || isChange)) batch.answers(message.id, answered)
  if (file !== null) batch.file(file)
  return { conversation, message }
}
