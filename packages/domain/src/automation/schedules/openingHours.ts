import { DateTime } from "effect"
import { daysOfWeek } from "../../campaigns/index.ts"
import { addDays, instantAt, type LocalDate, toLocalDate, startOfDay } from "../../kernel/index.ts"
import { type DaySpan, type DaySpans, holidayOn, type ScheduleStatus, type WeeklySchedule } from "./WeeklySchedule.ts"

/** What of a schedule says when it is open. */
export type OpeningHours = Pick<WeeklySchedule, "weekly" | "holidays">

interface Opening {
  readonly begins: DateTime.Utc
  readonly ends: DateTime.Utc
}

/** For so many days a change is looked for. */
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

/** Each time that it is open on a date, in their order. */
function* openingsOn(hours: OpeningHours, date: LocalDate, zone: DateTime.TimeZone): Generator<Opening> {
  for (const span of spansOn(hours, date)) {
    const opening = openingOf(date, span, zone)
    // Of hours that the clocks skip nothing is left.
    if (DateTime.isLessThan(opening.begins, opening.ends)) yield opening
  }
}

/** Whether it is open at an instant, as `statusAt` says it, without looking for when that changes: of one that never closes that takes long. */
export const isOpenAt = (hours: OpeningHours, zone: DateTime.TimeZone, at: DateTime.Utc): boolean => {
  const today = toLocalDate(at, zone)
  for (let ahead = -1; ahead <= 1; ahead += 1) {
    for (const { begins, ends } of openingsOn(hours, addDays(today, ahead), zone)) {
      if (DateTime.isLessThanOrEqualTo(begins, at) && DateTime.isLessThan(at, ends)) return true
    }
  }
  return false
}

/** When it closed last, at an instant at which it is closed; `null` if it was not open within 400 days before. */
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

/** Each time that it is open, from the day before a date on. */
function* openingsFrom(hours: OpeningHours, first: LocalDate, zone: DateTime.TimeZone) {
  for (let ahead = -1; ahead <= horizon; ahead += 1) yield* openingsOn(hours, addDays(first, ahead), zone)
}

/**
 * Whether it is open at an instant, and when that changes. A clock time that is skipped counts as the next moment, and
 * of two the first. Spans that meet are one, also at midnight.
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
