import { DateTime } from "effect"
import { addDays, instantAt, type LocalDate, localDayOf, startOfDay } from "../analytics/index.ts"
import { daysOfWeek } from "../campaigns/index.ts"
import { holidayOn } from "./Holiday.ts"
import type { DaySpan, DaySpans } from "./DaySpans.ts"
import type { ScheduleStatus, WeeklySchedule } from "./WeeklySchedule.ts"

type Hours = Pick<WeeklySchedule, "weekly" | "holidays">

interface Opening {
  readonly begins: DateTime.Utc
  readonly ends: DateTime.Utc
}

const endOfDay = "24:00"

/** So far ahead is looked for the next change. */
const horizon = 400

const spansOn = ({ holidays, weekly }: Hours, date: LocalDate): DaySpans => {
  const weekDay = DateTime.getPartUtc(DateTime.makeUnsafe(`${date}T00:00:00Z`), "weekDay")
  const day = daysOfWeek[(weekDay + 6) % 7]
  return holidayOn(holidays, date)?.spans ?? (day === undefined ? [] : weekly[day])
}

const openingOf = (date: LocalDate, [from = endOfDay, to = endOfDay]: DaySpan, zone: DateTime.TimeZone): Opening => ({
  begins: instantAt(date, from, zone),
  ends: to === endOfDay ? startOfDay(addDays(date, 1), zone) : instantAt(date, to, zone)
})

/** Each time that it is open, from the day before a date on. */
function* openingsFrom(hours: Hours, first: LocalDate, zone: DateTime.TimeZone): Generator<Opening> {
  for (let ahead = -1; ahead <= horizon; ahead += 1) {
    const date = addDays(first, ahead)
    for (const span of spansOn(hours, date)) {
      const opening = openingOf(date, span, zone)
      // Of hours that the clocks skip nothing is left.
      if (DateTime.isLessThan(opening.begins, opening.ends)) yield opening
    }
  }
}

/**
 * Whether it is open at an instant, and when that changes. A clock time that is skipped counts as the next moment, and
 * of two the first. Spans that meet are one, also at midnight.
 */
export const statusAt = (hours: Hours, zone: DateTime.TimeZone, at: DateTime.Utc): ScheduleStatus => {
  const today = localDayOf(at, zone)
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
