import { DateTime } from "effect"
import { addDays, type LocalDate, localDayOf, startOfDay } from "../../kernel/index.ts"
import { type Hours, horizon, openingsOn } from "./openings.ts"
import type { ScheduleStatus } from "./WeeklySchedule.ts"

/** Each time that it is open, from the day before a date on. */
function* openingsFrom(hours: Hours, first: LocalDate, zone: DateTime.TimeZone) {
  for (let ahead = -1; ahead <= horizon; ahead += 1) yield* openingsOn(hours, addDays(first, ahead), zone)
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
