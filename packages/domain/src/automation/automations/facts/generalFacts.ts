import { DateTime, Effect } from "effect"
import type { Contact } from "../../../crm/index.ts"
import { Organizations } from "../../../platform/identity/index.ts"
import { isOpenAt, type ScheduleId, WeeklySchedules } from "../../schedules/index.ts"

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
