import { DateTime } from "effect"
import { addDays, localDayOf } from "../../kernel/index.ts"
import { type Hours, openingsOn } from "./openings.ts"

/** Whether it is open at an instant, as `statusAt` says it, without looking for when that changes: of one that never closes that takes long. */
export const isOpenAt = (hours: Hours, zone: DateTime.TimeZone, at: DateTime.Utc): boolean => {
  const today = localDayOf(at, zone)
  for (let ahead = -1; ahead <= 1; ahead += 1) {
    for (const { begins, ends } of openingsOn(hours, addDays(today, ahead), zone)) {
      if (DateTime.isLessThanOrEqualTo(begins, at) && DateTime.isLessThan(at, ends)) return true
    }
  }
  return false
}
