import { DateTime, Effect } from "effect"
import type { Contact } from "../../crm/index.ts"
import { Organizations } from "../../identity/index.ts"
import { isOpenAt, type ScheduleId, WeeklySchedules } from "../../schedules/index.ts"

/** Which schedules are looked at: some, or the newest hundred of the organization. */
export type LookedAt = ReadonlyArray<ScheduleId> | "newest"

const read = (schedules: LookedAt) =>
  Effect.flatMap(WeeklySchedules, (port) =>
    schedules === "newest" ? port.list({ limit: 100, after: null }) : port.find(schedules)
  )

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
export const organizationFacts = Effect.fnUntraced(function* (now: DateTime.Utc, schedules: LookedAt) {
  const { currency, id, locale, name, timezone } = yield* (yield* Organizations).current()
  const open = new Map(
    (yield* read(schedules)).map((schedule): [string, boolean] => [
      schedule.id,
      isOpenAt(schedule, DateTime.zoneMakeNamedUnsafe(schedule.timezone ?? timezone), now)
    ])
  )
  const words = Object.fromEntries([...open].map(([id, isOpen]) => [id, isOpen ? "open" : "closed"]))
  return { open, texts: { organization: { id, name, timezone, locale, currency }, schedule: words } }
})
