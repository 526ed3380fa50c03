import { DateTime, Effect } from "effect"
import { AnalyticsBooks, type DayBounds, type DayTally, type Edition } from "../AnalyticsBooks.ts"
import type { Tally } from "../Count.ts"
import { addDays, localDayOf, startOfDay } from "../../kernel/index.ts"
import { type Quarter, quarterOf, startOfQuarter } from "../time/quarters.ts"

/** The local days from that of one quarter hour to that of another. */
const daysBetween = (first: Quarter, last: Quarter, zone: DateTime.TimeZone): ReadonlyArray<DayBounds> => {
  const days: Array<DayBounds> = []
  let date = localDayOf(startOfQuarter(first), zone)
  let from = quarterOf(startOfDay(date, zone))
  while (from <= last) {
    const next = addDays(date, 1)
    const to = quarterOf(startOfDay(next, zone))
    // A date that a zone leaves out has no quarter hours.
    if (to > from) days.push({ date, from, to })
    date = next
    from = to
  }
  return days
}

/** What quarter hours come to on the local days of a zone. */
export const onDays = (tallies: ReadonlyArray<Tally>, zone: DateTime.TimeZone): ReadonlyArray<DayTally> => {
  const dates = new Map<Quarter, string>()
  const days = new Map<string, DayTally>()
  for (const { quarter, ...tally } of tallies) {
    const date = dates.get(quarter) ?? localDayOf(startOfQuarter(quarter), zone)
    dates.set(quarter, date)
    const key = `${tally.scope} ${date} ${tally.figure} ${tally.step}`
    days.set(key, { ...tally, date, amount: (days.get(key)?.amount ?? 0) + tally.amount })
  }
  return [...days.values()].filter(({ amount }) => amount !== 0)
}

/** Cuts all days of an edition in this zone. */
export const cutDays = Effect.fnUntraced(function* (edition: Edition, timezone: string) {
  const books = yield* AnalyticsBooks
  const extent = yield* books.extent(edition)
  const zone = DateTime.zoneMakeNamedUnsafe(timezone)
  yield* books.cut(edition, extent === null ? [] : daysBetween(extent.first, extent.last, zone))
})
