import { eventResource, byId, idIn, type EventShape } from "../../kernel/index.ts"
import { ExpandedConversation } from "./ExpandedConversation.ts"
import { ConversationId, MessageId } from "./Ids.ts"
import { Message } from "./Message.ts"
import { getConversation } from "./use-cases/getConversation.ts"
import { getMessage } from "./use-cases/getMessage.ts"

/** Without optional relations. */
const conversation = (event: EventShape): [id: ConversationId] | null => byId("conversationId", ConversationId)(event)

const message = (event: EventShape): [ConversationId, MessageId] | null => {
  const [conversationId, messageId] = [
    idIn(event, "conversationId", ConversationId),
    idIn(event, "messageId", MessageId)
  ]
  return conversationId === null || messageId === null ? null : [conversationId, messageId]
}

/** The resources of the events of this area, as GET answers them. */
export const inboxResources = [
  eventResource("conversation", getConversation, ExpandedConversation, conversation),
  eventResource("message", getMessage, Message, message)
] as const
