import { DateTime } from "effect"
import { addDays, localDayOf } from "../../kernel/index.ts"
import { type Hours, horizon, openingsOn } from "./openings.ts"

/** When it closed last, at an instant at which it is closed; `null` if it was not open within 400 days before. */
export const closedSince = (hours: Hours, zone: DateTime.TimeZone, at: DateTime.Utc): DateTime.Utc | null => {
  const today = localDayOf(at, zone)
  for (let back = 0; back <= horizon; back += 1) {
    const [last] = Array.from(openingsOn(hours, addDays(today, -back), zone), ({ ends }) => ends)
      .filter((ends) => DateTime.isLessThanOrEqualTo(ends, at))
      .toSorted((one, other) => DateTime.Order(other, one))
    if (last !== undefined) return last
  }
  return null
}
