import type { DateTime } from "effect"
import type { Contact, ContactId } from "../../crm/index.ts"
import type { ConversationId } from "../../inbox/index.ts"
import type { Money } from "../../kernel/index.ts"

/** What a condition sees of something; `null` where nothing is there. */
export type FactValue = string | number | boolean | DateTime.Utc | Money | ReadonlyArray<string> | null

/** What is known today of what an event is about. */
export interface Facts {
  /** What is today. */
  readonly at: DateTime.Utc
  readonly contact: Contact
  readonly contactId: ContactId
  /** The conversation that the event is about; `null` where it is about none. */
  readonly conversationId: ConversationId | null
  /** What conditions see, by the names of their fields; what is not there is seen as nothing. */
  readonly seen: ReadonlyMap<string, FactValue>
  /** What texts may name, by group. What is not there is empty. */
  readonly texts: Readonly<Record<string, unknown>>
}
