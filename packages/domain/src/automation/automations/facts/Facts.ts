import { DateTime, Effect, type Schema } from "effect"
import type { Contact, ContactId } from "../../../crm/index.ts"
import type { Money } from "../../../kernel/index.ts"
import type { ConversationId, MessageId } from "../../../messaging/inbox/index.ts"
import { Organizations } from "../../../platform/identity/index.ts"
import {
  isOpenAt,
  nextOpeningAfter,
  type ScheduleId,
  type WeeklySchedule,
  WeeklySchedules
} from "../../schedules/index.ts"

/** Value of a fact; `null` if it is missing. */
export type FactValue = string | number | boolean | DateTime.Utc | Money | ReadonlyArray<string> | null

/** Current facts about the subject of an event. */
export interface Facts {
  /** Current time. */
  readonly at: DateTime.Utc
  readonly contact: Contact
  readonly contactId: ContactId
  /** Conversation of the event; `null` if it has none. */
  readonly conversationId: ConversationId | null
  /** Message of the event; `null` if it has none. */
  readonly messageId: MessageId | null
  /** Condition values by field name. Missing facts have no value. */
  readonly seen: ReadonlyMap<string, FactValue>
  /** Data of the call that started the run; absent for other events. */
  readonly data?: Schema.Json
  /** Steps of a workflow run by node, for its branches; absent elsewhere. */
  readonly steps?: Schema.Json
  /** Existing schedules, and whether each is open. */
  readonly schedules: ReadonlyMap<string, boolean>
  /** Template variables by group. Missing values are empty. */
  readonly texts: Readonly<Record<string, unknown>>
}

/** Facts of one group: condition values and template variables. */
export interface GroupFacts {
  readonly seen: ReadonlyArray<readonly [field: string, value: FactValue]>
  readonly texts: Readonly<Record<string, unknown>>
}

/** Builds facts whose conditions and texts use the same names. */
export const groupFacts = (group: string, values: Readonly<Record<string, FactValue>>): GroupFacts => ({
  seen: Object.entries(values).map(([name, value]) => [`${group}.${name}`, value] as const),
  texts: { [group]: values }
})

const firstWord = (name: string): string | null => name.trim().split(/\s+/u, 1)[0] ?? null

/** Template variables of a contact. */
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

/** Hidden group with the next opening of each schedule. It is computed on use, because a schedule that never opens is slow. */
export const openingsGroup = "schedule openings"

/** Loads the facts of the organization, and which of these schedules are open. */
export const organizationFacts = Effect.fnUntraced(function* (now: DateTime.Utc, schedules: ReadonlyArray<ScheduleId>) {
  const { currency, id, locale, name, timezone } = yield* (yield* Organizations).current()
  const found = yield* (yield* WeeklySchedules).find(schedules)
  const zoneOf = (schedule: WeeklySchedule) => DateTime.zoneMakeNamedUnsafe(schedule.timezone ?? timezone)
  const open = new Map(
    found.map((schedule): [string, boolean] => [schedule.id, isOpenAt(schedule, zoneOf(schedule), now)])
  )
  const opensAt = found.map((schedule): [string, () => DateTime.Utc | null] => [
    schedule.id,
    () => nextOpeningAfter(schedule, zoneOf(schedule), now)
  ])
  const words = Object.fromEntries([...open].map(([id, isOpen]) => [id, isOpen ? "open" : "closed"]))
  return {
    open,
    texts: {
      organization: { id, name, timezone, locale, currency },
      schedule: words,
      [openingsGroup]: Object.fromEntries(opensAt)
    }
  }
})
