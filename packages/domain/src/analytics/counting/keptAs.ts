import type { Kept } from "../AnalyticsBooks.ts"
import type { ConversationRecord, MessageRecord } from "../AnalyticsRecords.ts"
import { conversationCounts } from "./conversationCounts.ts"
import { messageCounts } from "./messageCounts.ts"

/** Records that are counted together. */
export interface CountedRecords {
  readonly messages: ReadonlyArray<MessageRecord>
  readonly conversations: ReadonlyArray<ConversationRecord>
}

/** What records count as. */
export const keptAs = ({ conversations, messages }: CountedRecords): Kept =>
  new Map([
    ...messages.map((message) => [message.id, messageCounts(message)] as const),
    ...conversations.flatMap((conversation) => [...conversationCounts(conversation)])
  ])
