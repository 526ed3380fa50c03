import type { DateTime } from "effect"
import type { ChatAccountId } from "../../chat/index.ts"
import type { ContactId } from "../../crm/index.ts"
import type { Conversation } from "../Conversation.ts"
import type { Pair } from "../Conversations.ts"
import { ConversationId } from "../Ids.ts"
import { Message } from "../Message.ts"
import { arrivalId } from "./arrivalId.ts"
import { contentOf } from "./contentOf.ts"
import { begun, conversationFor } from "./inbound.ts"
import { pastOf } from "./pastOf.ts"
import { answeredBy, type EchoEvent, type MessageEvent } from "./PersonalEvent.ts"
import { rawOf } from "./rawOf.ts"
import type { Receiving } from "./Receiving.ts"

const repliedTo = (
  receiving: Receiving,
  chatAccountId: ChatAccountId,
  conversationId: ConversationId,
  to: string | null
) => {
  const found = to === null ? null : receiving.known(chatAccountId, to)
  return found?.conversationId === conversationId ? found.id : null
}

const conversationOf = (receiving: Receiving, pair: Pair, quiet: boolean, at: DateTime.Utc): Conversation => {
  const found = conversationFor(receiving.latest(pair), receiving.now)
  if (found !== null) return found
  const conversation = begun(ConversationId.make(receiving.nextId()), pair, quiet, at, receiving.now)
  receiving.tell({ type: "conversation.opened", conversationId: conversation.id, ...pair })
  return conversation
}

/** Puts what was told into the conversation of the two. */
export const putMessage = (
  receiving: Receiving,
  chatAccountId: ChatAccountId,
  contactId: ContactId,
  event: MessageEvent | EchoEvent,
  quiet: boolean,
  side: Pick<Message, "direction" | "author" | "recipient" | "status" | "sentAt" | "referral">
) => {
  const { content } = event
  const at = pastOf(event)
  const conversation = conversationOf(receiving, { contactId, chatAccountId }, quiet, at)
  const { file, parts } = contentOf(content, chatAccountId, receiving.nextId, receiving.now)
  const answered = answeredBy(event)
  const message = new Message({
    ...parts,
    ...side,
    id: arrivalId(event.arrival, event.id),
    conversationId: conversation.id,
    template: null,
    raw: rawOf(event, parts.kind),
    replyToId: repliedTo(receiving, chatAccountId, conversation.id, answered),
    error: null,
    providerMessageId: event.id,
    at,
    deliveredAt: null,
    readAt: null,
    failedAt: null,
    createdAt: receiving.now
  })
  receiving.keep(chatAccountId, message)
  // What changes another message is looked for by the provider's id of that one, also where it is known.
  const isChange = content.kind === "edit" || content.kind === "revocation"
  if (answered !== null && (message.replyToId === null || isChange)) receiving.answers(message.id, answered)
  if (file !== null) receiving.file(file)
  return { conversation, message }
}
