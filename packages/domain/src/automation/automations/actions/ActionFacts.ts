import type { ContactId } from "../../../crm/index.ts"
import type { ConversationId, MessageId } from "../../../messaging/inbox/index.ts"

/** What actions know of what has happened. */
export interface ActionFacts {
  readonly contactId: ContactId
  /** The conversation that the event is about; `null` where it is about none. */
  readonly conversationId: ConversationId | null
  /** The message that the event is about, where it is about one. */
  readonly messageId?: MessageId | null
  /** What texts may name, by group: `{{ order.number }}` is `number` of the group `order`. What is not there is empty. */
  readonly texts: Readonly<Record<string, unknown>>
}
