import { DateTime, Effect } from "effect"
import type { Contact, ContactId } from "../../../crm/index.ts"
import type { Money } from "../../../kernel/index.ts"
import type { ConversationId, MessageId } from "../../../messaging/inbox/index.ts"
import { Organizations } from "../../../platform/identity/index.ts"
import { isOpenAt, type ScheduleId, WeeklySchedules } from "../../schedules/index.ts"

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

const firstWord = (name: string): string | null => name.trim().split(/\s+/u, 1)[0] ?? null

/** What texts may name of a contact. */
export const contactTexts = ({ attributes, email, id, locale, name, phone, timezone }: Contact) => ({
  id,
  name,
  firstName: name === null ? null : firstWord(name),
  phone,
  email,
  locale,
  timezone,
  attribute: attributes
})

/** What is known of the organization, and which of these schedules are open. */
export const organizationFacts = Effect.fnUntraced(function* (now: DateTime.Utc, schedules: ReadonlyArray<ScheduleId>) {
  const { currency, id, locale, name, timezone } = yield* (yield* Organizations).current()
  const open = new Map(
    (yield* (yield* WeeklySchedules).find(schedules)).map((schedule): [string, boolean] => [
      schedule.id,
      isOpenAt(schedule, DateTime.zoneMakeNamedUnsafe(schedule.timezone ?? timezone), now)
    ])
  )
  const words = Object.fromEntries([...open].map(([id, isOpen]) => [id, isOpen ? "open" : "closed"]))
  return { open, texts: { organization: { id, name, timezone, locale, currency }, schedule: words } }
})
