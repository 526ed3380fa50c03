import { DateTime } from "effect"
import type { Presence } from "../AnalyticsBooks.ts"
import { type Count, wholeOrganization } from "../Count.ts"
import { localDayOf } from "../../kernel/index.ts"
import { type Quarter, startOfQuarter } from "../time/quarters.ts"

const dayMillis = 86_400_000

/** The number of a local day: one more than that of the day before. */
const numberOf = (date: string) => DateTime.toEpochMillis(DateTime.makeUnsafe(`${date}T00:00:00Z`)) / dayMillis

/** Of each local day of a contact, the first quarter hour in which it has written. */
const firstQuarters = (quarters: ReadonlyArray<Quarter>, zone: DateTime.TimeZone) => {
  const days = new Map<number, Quarter>()
  for (const quarter of quarters.toSorted((one, other) => one - other)) {
    const day = numberOf(localDayOf(startOfQuarter(quarter), zone))
    if (!days.has(day)) days.set(day, quarter)
  }
  return days
}

/**
 * What contacts count as who have written: one on each local day, in its first quarter hour. Its step is how many days before that they had
 * written last, and 0 where they never had. So those in a range of days are counted once: on their first day in it, whose step is
 * greater than the days of the range before it, or 0.
 */
export const activeCounts = (presence: ReadonlyArray<Presence>, zone: DateTime.TimeZone): ReadonlyArray<Count> =>
  [...Map.groupBy(presence, ({ contactId }) => contactId).values()].flatMap((rows) => {
    let last: number | null = null
    return Array.from(
      firstQuarters(
        rows.map(({ quarter }) => quarter),
        zone
      ),
      ([day, quarter]): Count => {
        const step = last === null ? 0 : day - last
        last = day
        return { figure: "contacts.active", quarter, step, amount: 1, scopes: [wholeOrganization] }
      }
    )
  })
