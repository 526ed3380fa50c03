import { DateTime } from "effect"
import { addDays, instantAt, type LocalDate, toLocalDate } from "../../../kernel/index.ts"
import type { Trigger } from "../triggers/Trigger.ts"

/** Trigger that starts on a date of the contact. */
export type DateTrigger = Extract<Trigger, { readonly event: "contact.date_reached" }>

/** Time between two searches for contacts in all time zones, in minutes. The offset of each time zone is a multiple of it. */
const zoneStepMinutes = 15

const isCommonYear = (date: LocalDate): boolean => addDays(`${date.slice(0, 4)}-02-28`, 1).slice(5) !== "02-29"

/** Month and day of a date. */
const dayOf = (date: LocalDate): string => date.slice(5)

/** Days of the contacts whose date is reached on a date: the date, and 29 February on 28 February of a common year. */
export const daysReachedOn = (date: LocalDate): ReadonlyArray<string> =>
  dayOf(date) === "02-28" && isCommonYear(date) ? ["02-28", "02-29"] : [dayOf(date)]

/** Whether the date of a contact is reached on a date. A date in the future is reached in its own year first. */
export const isDateReached = ({ repeats }: DateTrigger, contactDate: LocalDate, date: LocalDate): boolean =>
  repeats === "once" ? contactDate === date : contactDate <= date && daysReachedOn(date).includes(dayOf(contactDate))

/** Time of the start for a reached date. */
export const startTimeOf = (
  { localTime, offsetDays = 0 }: DateTrigger,
  date: LocalDate,
  zone: DateTime.TimeZone
): DateTime.Utc => instantAt(addDays(date, offsetDays), localTime, zone)

/** A yearly date is reached at least once in this number of days. */
const maxDaysToDate = 368

/** First date of a contact whose start time is at this instant or later; `null` for a single date before it. */
export const nextContactDate = (
  when: DateTrigger,
  contactDate: LocalDate,
  zone: DateTime.TimeZone,
  from: DateTime.Utc
): { readonly date: LocalDate; readonly dueAt: DateTime.Utc } | null => {
  const today = addDays(toLocalDate(from, zone), -(when.offsetDays ?? 0) - 1)
  const first = contactDate > today || when.repeats === "once" ? contactDate : today
  for (let days = 0; days < (when.repeats === "once" ? 1 : maxDaysToDate); days++) {
    const date = addDays(first, days)
    const dueAt = startTimeOf(when, date, zone)
    if (isDateReached(when, contactDate, date) && DateTime.isGreaterThanOrEqualTo(dueAt, from)) return { date, dueAt }
  }
  return null
}

/** Next search in the zones of the contacts: each quarter of an hour that the local time can fall on. */
const nextZoneStep = ({ localTime }: DateTrigger, after: DateTime.Utc): DateTime.Utc => {
  const step = zoneStepMinutes * 60_000
  const offset = (Number(localTime.slice(-2)) % zoneStepMinutes) * 60_000
  const steps = Math.floor((DateTime.toEpochMillis(after) - offset) / step) + 1
  return DateTime.makeUnsafe(steps * step + offset)
}

/** First time after an instant when dates can be reached. `zone` is the time zone of the organization. */
export const nextDateSearch = (when: DateTrigger, zone: DateTime.TimeZone, after: DateTime.Utc): DateTime.Utc => {
  if (when.zone === "contact") return nextZoneStep(when, after)
  let day = addDays(toLocalDate(after, zone), -1)
  while (true) {
    const instant = instantAt(day, when.localTime, zone)
    if (DateTime.isGreaterThan(instant, after)) return instant
    day = addDays(day, 1)
  }
}

/** Dates of contacts that a search can reach, for any time zone of a contact. */
export const datesOfSearch = (
  { localTime, offsetDays = 0, zone: kind }: DateTrigger,
  zone: DateTime.TimeZone,
  at: DateTime.Utc
): ReadonlyArray<LocalDate> => {
  if (kind !== "contact") return [addDays(toLocalDate(at, zone), -offsetDays)]
  // Local times are at most 14 hours ahead of UTC and 12 hours behind. One more hour covers times that the clocks skip.
  const [from, to] = [DateTime.subtract(at, { hours: 13 }), DateTime.add(at, { hours: 15 })]
  const days = [DateTime.formatIsoDateUtc(from), DateTime.formatIsoDateUtc(at), DateTime.formatIsoDateUtc(to)]
  return [...new Set(days)]
    .filter((day) => DateTime.between(DateTime.makeUnsafe(`${day}T${localTime}:00Z`), { minimum: from, maximum: to }))
    .map((day) => addDays(day, -offsetDays))
}

/** Whether a search in the zones of the contacts covers a start time: no earlier and no later search does. */
export const isCoveredBySearch = (start: DateTime.Utc, at: DateTime.Utc): boolean =>
  DateTime.isLessThanOrEqualTo(start, at) &&
  DateTime.isGreaterThan(start, DateTime.subtract(at, { minutes: zoneStepMinutes }))
