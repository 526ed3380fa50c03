import type { ConversationId } from "./Ids.ts"

/** The name of the list of a conversation's messages, for its cursors. */
export const messagesOf = (conversationId: ConversationId) => `messages/${conversationId}`
