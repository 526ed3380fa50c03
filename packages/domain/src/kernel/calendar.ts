import { DateTime, Option, Schema } from "effect"

const localDatePattern = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/u

/** The pattern reports a malformed date. */
const isCalendarDate = (date: string) =>
  !localDatePattern.test(date) ||
  Option.exists(DateTime.make(`${date}T00:00:00Z`), (instant) => DateTime.formatIsoDateUtc(instant) === date)

/** Local date, for example 2026-11-21. */
export const LocalDate = Schema.String.check(
  Schema.isPattern(localDatePattern, {
    message: "Expected a day such as 2026-11-21"
  }),
  Schema.makeFilter((date: string) => isCalendarDate(date) || "Expected a calendar day")
)
export type LocalDate = typeof LocalDate.Type

const timeLength = "T09:30".length

const quarterHour = { minutes: 15 }

/** Returns the local date and time in a zone, to the minute, for example `2026-11-21T09:30`. Years after 9999 have a sign and six digits. */
export const toLocalTime = (instant: DateTime.Utc, zone: DateTime.TimeZone): string => {
  const text = DateTime.formatIsoOffset(DateTime.setZone(instant, zone))
  return text.slice(0, text.indexOf("T") + timeLength)
}

/** Returns the date this many days later, or earlier for a negative number. */
export const addDays = (date: LocalDate, days: number): LocalDate =>
  DateTime.formatIsoDateUtc(DateTime.add(DateTime.makeUnsafe(`${date}T00:00:00Z`), { days }))

const dayMillis = 86_400_000

export const daysBetween = (first: LocalDate, last: LocalDate): number =>
  Math.round(
    (DateTime.toEpochMillis(DateTime.makeUnsafe(`${last}T00:00:00Z`)) -
      DateTime.toEpochMillis(DateTime.makeUnsafe(`${first}T00:00:00Z`))) /
      dayMillis
  )

/** Returns the first instant with this local time on the date. If the clocks skip the time, it returns the end of the gap. */
export const instantAt = (date: LocalDate, time: string, zone: DateTime.TimeZone): DateTime.Utc => {
  const local = `${date}T${time}`
  let instant = DateTime.toUtc(
    DateTime.makeZonedUnsafe(`${local}:00Z`, { timeZone: zone, adjustForTimeZone: true, disambiguation: "compatible" })
  )
  // The conversion shifts a skipped time past the gap. The loop moves it back to the end of the gap.
  if (local < toLocalTime(instant, zone)) {
    for (
      let earlier = DateTime.subtract(instant, quarterHour);
      toLocalTime(earlier, zone) >= local;
      earlier = DateTime.subtract(instant, quarterHour)
    ) {
      instant = earlier
    }
  }
  return instant
}

export const startOfDay = (date: LocalDate, zone: DateTime.TimeZone): DateTime.Utc => instantAt(date, "00:00", zone)

/** Returns the local day of an instant. A day starts at the first instant of its date, also when the clocks later go back over midnight. */
export const toLocalDate = (instant: DateTime.Utc, zone: DateTime.TimeZone): LocalDate => {
  const date = toLocalTime(instant, zone).slice(0, -timeLength)
  const next = addDays(date, 1)
  return DateTime.isLessThanOrEqualTo(startOfDay(next, zone), instant) ? next : date
}

/** Returns the dates between two dates, both inclusive. */
export const datesBetween = (first: LocalDate, last: LocalDate): ReadonlyArray<LocalDate> => {
  const dates: Array<LocalDate> = []
  for (let date = first; date <= last; date = addDays(date, 1)) dates.push(date)
  return dates
}
