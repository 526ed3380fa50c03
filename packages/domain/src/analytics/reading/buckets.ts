import type { DateTime } from "effect"
import { type LocalDate, addDays, daysBetween, startOfDay } from "../../kernel/index.ts"
import { quarterOf } from "../time/quarters.ts"
import type { QuarterRange } from "../AnalyticsFigures.ts"

/** A Monday. */
const monday: LocalDate = "1970-01-05"

/** The first day of the week, or the month, that a day is in. */
const firstOf: Readonly<Record<"day" | "week" | "month", (date: LocalDate) => LocalDate>> = {
  day: (date) => date,
  week: (date) => addDays(date, -(((daysBetween(monday, date) % 7) + 7) % 7)),
  month: (date) => `${date.slice(0, "2026-11".length)}-01`
}

/** The days of each bucket; a week or a month that is in a range by a part only is as long as that part. */
export const bucketsOfDays = (
  dates: ReadonlyArray<LocalDate>,
  by: "day" | "week" | "month"
): ReadonlyArray<ReadonlyArray<LocalDate>> => [...Map.groupBy(dates, firstOf[by]).values()]

const quartersOfHour = 4

/** The hours of local days that have begun, as quarter hours. The last one of a day is shorter where clocks are moved by half an hour. */
export const hoursOf = (
  dates: ReadonlyArray<LocalDate>,
  zone: DateTime.TimeZone,
  now: DateTime.Utc
): ReadonlyArray<QuarterRange> =>
  dates.flatMap((date) => {
    const [first, end] = [quarterOf(startOfDay(date, zone)), quarterOf(startOfDay(addDays(date, 1), zone))]
    const hours: Array<QuarterRange> = []
    for (let from = first; from < end && from <= quarterOf(now); from += quartersOfHour) {
      hours.push({ from, to: Math.min(from + quartersOfHour, end) })
    }
    return hours
  })
