import { DateTime } from "effect"
import { daysOfWeek } from "../../campaigns/index.ts"
import { addDays, instantAt, type LocalDate, toLocalDate, startOfDay } from "../../kernel/index.ts"
import { type DaySpan, type DaySpans, holidayOn, type ScheduleStatus, type WeeklySchedule } from "./WeeklySchedule.ts"

/** Fields of a schedule that define its opening times. */
export type OpeningHours = Pick<WeeklySchedule, "weekly" | "holidays">

interface Opening {
  readonly begins: DateTime.Utc
  readonly ends: DateTime.Utc
}

/** Number of days to search for a change. */
const horizon = 400

const endOfDay = "24:00"

const spansOn = ({ holidays, weekly }: OpeningHours, date: LocalDate): DaySpans => {
  const weekDay = DateTime.getPartUtc(DateTime.makeUnsafe(`${date}T00:00:00Z`), "weekDay")
  const day = daysOfWeek[(weekDay + 6) % 7]
  return holidayOn(holidays, date)?.spans ?? (day === undefined ? [] : weekly[day])
}

const openingOf = (date: LocalDate, [from = endOfDay, to = endOfDay]: DaySpan, zone: DateTime.TimeZone): Opening => ({
  begins: instantAt(date, from, zone),
  ends: to === endOfDay ? startOfDay(addDays(date, 1), zone) : instantAt(date, to, zone)
})

/** Yields the openings on a date, in order. */
function* openingsOn(hours: OpeningHours, date: LocalDate, zone: DateTime.TimeZone): Generator<Opening> {
  for (const span of spansOn(hours, date)) {
    const opening = openingOf(date, span, zone)
    // A span in a skipped local time is empty.
    if (DateTime.isLessThan(opening.begins, opening.ends)) yield opening
  }
}

/**
 * Whether it is open at an instant, like `statusAt`. It does not search for the next change, which is slow for a
 * schedule that never closes.
 */
export const isOpenAt = (hours: OpeningHours, zone: DateTime.TimeZone, at: DateTime.Utc): boolean => {
  const today = toLocalDate(at, zone)
  for (let ahead = -1; ahead <= 1; ahead += 1) {
    for (const { begins, ends } of openingsOn(hours, addDays(today, ahead), zone)) {
      if (DateTime.isLessThanOrEqualTo(begins, at) && DateTime.isLessThan(at, ends)) return true
    }
  }
  return false
}

/** Last closing time before an instant at which it is closed; `null` if it was not open in the 400 days before. */
export const closedSince = (hours: OpeningHours, zone: DateTime.TimeZone, at: DateTime.Utc): DateTime.Utc | null => {
  const today = toLocalDate(at, zone)
  for (let back = 0; back <= horizon; back += 1) {
    const [last] = Array.from(openingsOn(hours, addDays(today, -back), zone), ({ ends }) => ends)
      .filter((ends) => DateTime.isLessThanOrEqualTo(ends, at))
      .toSorted((one, other) => DateTime.Order(other, one))
    if (last !== undefined) return last
  }
  return null
}

/** Yields the openings from the day before a date. */
function* openingsFrom(hours: OpeningHours, first: LocalDate, zone: DateTime.TimeZone) {
  for (let ahead = -1; ahead <= horizon; ahead += 1) yield* openingsOn(hours, addDays(first, ahead), zone)
}

/** Start of the next opening after an instant; `null` if it does not open within 400 days. Adjacent spans are one opening. */
export const nextOpeningAfter = (
  hours: OpeningHours,
  zone: DateTime.TimeZone,
  at: DateTime.Utc
): DateTime.Utc | null => {
  let closesAt: DateTime.Utc | null = null
  for (const { begins, ends } of openingsFrom(hours, toLocalDate(at, zone), zone)) {
    const isContinued: boolean = closesAt !== null && DateTime.isLessThanOrEqualTo(begins, closesAt)
    if (!isContinued && DateTime.isGreaterThan(begins, at)) return begins
    closesAt = closesAt === null ? ends : DateTime.max(closesAt, ends)
  }
  return null
}

/**
 * Whether it is open at an instant, and when that changes. A skipped local time counts as the next moment; of two
 * equal local times, the first one counts. Adjacent spans are merged, including at midnight.
 */
export const statusAt = (hours: OpeningHours, zone: DateTime.TimeZone, at: DateTime.Utc): ScheduleStatus => {
  const today = toLocalDate(at, zone)
  let closesAt: DateTime.Utc | null = null
  for (const { begins, ends } of openingsFrom(hours, today, zone)) {
    if (closesAt === null) {
      if (DateTime.isLessThanOrEqualTo(ends, at)) continue
      if (DateTime.isLessThan(at, begins)) return { open: false, nextChangeAt: begins }
      closesAt = ends
    } else if (DateTime.isLessThan(closesAt, begins)) {
      return { open: true, nextChangeAt: closesAt }
    } else {
      closesAt = DateTime.max(closesAt, ends)
    }
  }
  const isOpenBeyond = closesAt !== null && DateTime.isLessThan(startOfDay(addDays(today, horizon), zone), closesAt)
  return { open: closesAt !== null, nextChangeAt: isOpenBeyond ? null : closesAt }
}
