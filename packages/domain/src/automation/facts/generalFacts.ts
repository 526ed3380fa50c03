import { DateTime, Effect } from "effect"
import type { Contact } from "../../crm/index.ts"
import { Organizations } from "../../identity/index.ts"
import { statusAt, WeeklySchedules } from "../../schedules/index.ts"

/** So many schedules of an organization are looked at. */
const mostSchedules = 100

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

/** What is known of the organization, and if that is asked which of its schedules are open. */
export const organizationFacts = Effect.fnUntraced(function* (now: DateTime.Utc, hasSchedules: boolean) {
  const { currency, id, locale, name, timezone } = yield* (yield* Organizations).current()
  const schedules = hasSchedules ? yield* (yield* WeeklySchedules).list({ limit: mostSchedules, after: null }) : []
  const open = new Map(
    schedules.map((schedule): [string, boolean] => [
      schedule.id,
      statusAt(schedule, DateTime.zoneMakeNamedUnsafe(schedule.timezone ?? timezone), now).open
    ])
  )
  const words = Object.fromEntries([...open].map(([id, isOpen]) => [id, isOpen ? "open" : "closed"]))
  return { open, texts: { organization: { id, name, timezone, locale, currency }, schedule: words } }
})
