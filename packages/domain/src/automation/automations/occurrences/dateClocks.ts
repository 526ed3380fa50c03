import { DateTime, Effect } from "effect"
import { lastContactZone } from "../../../campaigns/index.ts"
import { type Contact, ContactFields, type ContactId, Contacts } from "../../../crm/index.ts"
import type { LocalDate } from "../../../kernel/index.ts"
import { Organizations } from "../../../platform/identity/index.ts"
import { holdReason } from "../AutomationSettings.ts"
import { appendEvent } from "../events.ts"
import { isWithinStartWindow, startWindow } from "../runs/newRuns.ts"
import { type AutomationClock, AutomationClocks } from "./AutomationClocks.ts"
import {
  datesOfSearch,
  type DateTrigger,
  daysReachedOn,
  isCoveredBySearch,
  isDateReached,
  nextDateSearch,
  startTimeOf
} from "./dateOccurrences.ts"

/** Number of contacts per unit of work. */
const batchSize = 200

/** Contact whose date is reached. */
interface ReachedContact {
  readonly contactId: ContactId
  readonly date: LocalDate
  readonly dueAt: DateTime.Utc
}

/** Dates of a contact that this search reaches, with their start times. */
const reachedDates = (
  when: DateTrigger,
  contact: Contact,
  search: { readonly at: DateTime.Utc; readonly dates: ReadonlyArray<LocalDate>; readonly organizationZone: string }
): ReadonlyArray<ReachedContact> => {
  const value = contact.attributes[when.field]
  if (typeof value !== "string") return []
  const isInContactZone = when.zone === "contact"
  const zone = isInContactZone ? lastContactZone(contact, search.organizationZone) : search.organizationZone
  return search.dates
    .filter((date) => isDateReached(when, value, date))
    .map((date) => ({
      contactId: contact.id,
      date,
      dueAt: isInContactZone ? startTimeOf(when, date, DateTime.zoneMakeNamedUnsafe(zone)) : search.at
    }))
    .filter(({ dueAt }) => !isInContactZone || isCoveredBySearch(dueAt, search.at))
}

const isDateField = Effect.fnUntraced(function* (key: string) {
  const fields = yield* (yield* ContactFields).all()
  return fields.some((field) => field.key === key && field.type === "date" && field.status === "active")
})

/** Next contacts of a search. An index finds the contacts of a day, so other contacts are not read. */
const nextReached = Effect.fnUntraced(function* (
  when: DateTrigger,
  { after, dueAt: at }: AutomationClock,
  organizationZone: string
) {
  const dates = datesOfSearch(when, DateTime.zoneMakeNamedUnsafe(organizationZone), at)
  const days = [...new Set(dates.flatMap(daysReachedOn))]
  const contacts =
    days.length === 0
      ? []
      : yield* (yield* Contacts).withDays(when.field, days, {
          limit: batchSize,
          after: after === null ? null : [after]
        })
  return {
    reached: contacts.flatMap((contact) => reachedDates(when, contact, { at, dates, organizationZone })),
    after: contacts.at(-1)?.id ?? after,
    isLast: contacts.length < batchSize
  }
})

const nothing = { reached: [], after: null, isLast: true } as const

/** Appends the events of the next contacts of a search, and moves the clock in the same unit of work. */
export const strikeDateClock = Effect.fnUntraced(function* (clock: AutomationClock, when: DateTrigger) {
  const { automationId, dueAt: at } = clock
  const clocks = yield* AutomationClocks
  const organizationZone = (yield* (yield* Organizations).current()).timezone
  const zone = DateTime.zoneMakeNamedUnsafe(organizationZone)
  const now = yield* DateTime.now
  if (!isWithinStartWindow(at, now)) {
    yield* Effect.logWarning(`Skipped late dates of the automation ${automationId}`)
    const dueAt = nextDateSearch(when, zone, DateTime.subtractDuration(now, startWindow))
    yield* clocks.advance(clock, { automationId, dueAt, after: null })
    return
  }
  const isRunning = (yield* holdReason) === null && (yield* isDateField(when.field))
  const { after, isLast, reached } = isRunning ? yield* nextReached(when, clock, organizationZone) : nothing
  const next = isLast
    ? { automationId, dueAt: nextDateSearch(when, zone, at), after: null }
    : { automationId, dueAt: at, after }
  // A concurrent change of the automation has set the clock.
  if (!(yield* clocks.advance(clock, next))) return
  yield* Effect.forEach(
    reached,
    ({ contactId, date, dueAt }) =>
      appendEvent({ type: "automation.due", automationId, contactId, dueAt: DateTime.formatIso(dueAt), date }),
    { discard: true }
  )
})
