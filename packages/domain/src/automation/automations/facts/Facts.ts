import type { DateTime } from "effect"
import type { Contact, ContactId } from "../../../crm/index.ts"
import type { ConversationId, MessageId } from "../../../messaging/inbox/index.ts"
import type { Money } from "../../../kernel/index.ts"

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
  /** The message that the event is about; `null` where it is about none. */
  readonly messageId: MessageId | null
  /** What conditions see, by the names of their fields; what is not there is seen as nothing. */
  readonly seen: ReadonlyMap<string, FactValue>
  /** Which schedules there are, and whether they are open. */
  readonly schedules: ReadonlyMap<string, boolean>
  /** What texts may name, by group. What is not there is empty. */
  readonly texts: Readonly<Record<string, unknown>>
}

/** What is known of one thing: what conditions see of it, and what texts may name of it. */
export interface GroupFacts {
  readonly seen: ReadonlyArray<readonly [field: string, value: FactValue]>
  readonly texts: Readonly<Record<string, unknown>>
}

/** Of one thing, the same by both names. */
export const groupFacts = (group: string, values: Readonly<Record<string, FactValue>>): GroupFacts => ({
  seen: Object.entries(values).map(([name, value]) => [`${group}.${name}`, value] as const),
  texts: { [group]: values }
})
