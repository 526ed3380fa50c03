import { DateTime, Effect } from "effect"
import { StoredBroadcastSettings } from "../../campaigns/index.ts"
import { addDays, localDayOf, startOfDay } from "../../kernel/index.ts"
import { AnalyticsBooks, type Book, type DayBounds, type DayTally, type Edition, type Kept } from "../AnalyticsBooks.ts"
import { type Count, type Quarter, quarterOf, startOfQuarter, takenBack, talliesOf, type Tally } from "../Count.ts"

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

/** Adds counts to the quarter hours and local days of an edition. */
export const addCounts = Effect.fnUntraced(function* (edition: Edition, timezone: string, counts: Iterable<Count>) {
  const tallies = talliesOf(counts)
  if (tallies.length === 0) return
  yield* (yield* AnalyticsBooks).add(edition, tallies, onDays(tallies, DateTime.zoneMakeNamedUnsafe(timezone)))
})

/** Counts records as they are now, and takes back what they were counted as. What it comes to is not added yet. */
export const recountRecords = Effect.fnUntraced(function* (edition: Edition, after: Kept) {
  const books = yield* AnalyticsBooks
  const before = yield* books.kept(edition, [...after.keys()])
  const changed = new Map(
    [...after].filter(([key, counts]) => JSON.stringify(counts) !== JSON.stringify(before.get(key) ?? []))
  )
  yield* books.keep(edition, changed)
  return [...changed].flatMap(([key, counts]): ReadonlyArray<Count> => [...takenBack(before.get(key) ?? []), ...counts])
})

/** For how many hours messages get the credit for orders by the settings of broadcasts. */
export const hoursOfSettings = Effect.gen(function* () {
  return (yield* (yield* StoredBroadcastSettings).get()).attributionHours
})

/** For how many hours they do as it is counted. */
export const hoursOfBook = Effect.fnUntraced(function* ({ attributionHours }: Pick<Book, "attributionHours">) {
  return attributionHours ?? (yield* hoursOfSettings)
})
