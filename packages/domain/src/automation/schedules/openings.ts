import { DateTime } from "effect"
import { addDays, instantAt, type LocalDate, startOfDay } from "../../kernel/index.ts"
import { daysOfWeek } from "../../campaigns/index.ts"
import { holidayOn } from "./Holiday.ts"
import type { DaySpan, DaySpans } from "./DaySpans.ts"
import type { WeeklySchedule } from "./WeeklySchedule.ts"

/** What of a schedule says when it is open. */
export type Hours = Pick<WeeklySchedule, "weekly" | "holidays">

interface Opening {
  readonly begins: DateTime.Utc
  readonly ends: DateTime.Utc
}

/** For so many days a change is looked for. */
export const horizon = 400

const endOfDay = "24:00"

const spansOn = ({ holidays, weekly }: Hours, date: LocalDate): DaySpans => {
  const weekDay = DateTime.getPartUtc(DateTime.makeUnsafe(`${date}T00:00:00Z`), "weekDay")
  const day = daysOfWeek[(weekDay + 6) % 7]
  return holidayOn(holidays, date)?.spans ?? (day === undefined ? [] : weekly[day])
}

const openingOf = (date: LocalDate, [from = endOfDay, to = endOfDay]: DaySpan, zone: DateTime.TimeZone): Opening => ({
  begins: instantAt(date, from, zone),
  ends: to === endOfDay ? startOfDay(addDays(date, 1), zone) : instantAt(date, to, zone)
})

/** Each time that it is open on a date, in their order. */
export function* openingsOn(hours: Hours, date: LocalDate, zone: DateTime.TimeZone): Generator<Opening> {
  for (const span of spansOn(hours, date)) {
    const opening = openingOf(date, span, zone)
    // Of hours that the clocks skip nothing is left.
    if (DateTime.isLessThan(opening.begins, opening.ends)) yield opening
  }
}
