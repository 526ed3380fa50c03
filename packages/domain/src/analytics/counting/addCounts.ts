import { DateTime, Effect } from "effect"
import { StoredBroadcastSettings } from "../../campaigns/index.ts"
import { addDays, toLocalDate, startOfDay } from "../../kernel/index.ts"
import {
  RollupStore,
  type RollupState,
  type DayBounds,
  type DayTally,
  type RollupVersion,
  type CountedRecord
} from "../RollupStore.ts"
import {
  type Count,
  type QuarterHour,
  toQuarterHour,
  quarterHourStart,
  negate,
  toTallies,
  type Tally
} from "../Count.ts"

/** The local days from that of one quarter hour to that of another. */
const toDayBounds = (first: QuarterHour, last: QuarterHour, zone: DateTime.TimeZone): ReadonlyArray<DayBounds> => {
  const days: Array<DayBounds> = []
  let date = toLocalDate(quarterHourStart(first), zone)
  let from = toQuarterHour(startOfDay(date, zone))
  while (from <= last) {
    const next = addDays(date, 1)
    const to = toQuarterHour(startOfDay(next, zone))
    // A date that a zone leaves out has no quarter hours.
    if (to > from) days.push({ date, from, to })
    date = next
    from = to
  }
  return days
}

/** What quarter hours come to on the local days of a zone. */
export const toDayTallies = (tallies: ReadonlyArray<Tally>, zone: DateTime.TimeZone): ReadonlyArray<DayTally> => {
  const dates = new Map<QuarterHour, string>()
  const days = new Map<string, DayTally>()
  for (const { quarter, ...tally } of tallies) {
    const date = dates.get(quarter) ?? toLocalDate(quarterHourStart(quarter), zone)
    dates.set(quarter, date)
    const key = `${tally.scope} ${date} ${tally.figure} ${tally.step}`
    days.set(key, { ...tally, date, amount: (days.get(key)?.amount ?? 0) + tally.amount })
  }
  return [...days.values()].filter(({ amount }) => amount !== 0)
}

/** Cuts all days of an edition in this zone. */
export const rebucketDays = Effect.fnUntraced(function* (edition: RollupVersion, timezone: string) {
  const books = yield* RollupStore
  const extent = yield* books.extent(edition)
  const zone = DateTime.zoneMakeNamedUnsafe(timezone)
  yield* books.cut(edition, extent === null ? [] : toDayBounds(extent.first, extent.last, zone))
})

/** Adds counts to the quarter hours and local days of an edition. */
export const addCounts = Effect.fnUntraced(function* (
  edition: RollupVersion,
  timezone: string,
  counts: Iterable<Count>
) {
  const tallies = toTallies(counts)
  if (tallies.length === 0) return
  yield* (yield* RollupStore).add(edition, tallies, toDayTallies(tallies, DateTime.zoneMakeNamedUnsafe(timezone)))
})

/** Counts records as they are now, and takes back what they were counted as. What it comes to is not added yet. */
export const recountRecords = Effect.fnUntraced(function* (edition: RollupVersion, after: CountedRecord) {
  const books = yield* RollupStore
  const before = yield* books.kept(edition, [...after.keys()])
  const changed = new Map(
    [...after].filter(([key, counts]) => JSON.stringify(counts) !== JSON.stringify(before.get(key) ?? []))
  )
  yield* books.keep(edition, changed)
  return [...changed].flatMap(([key, counts]): ReadonlyArray<Count> => [...negate(before.get(key) ?? []), ...counts])
})

/** For how many hours messages get the credit for orders by the settings of broadcasts. */
export const loadAttributionHours = Effect.gen(function* () {
  return (yield* (yield* StoredBroadcastSettings).get()).attributionHours
})

/** For how many hours they do as it is counted. */
export const rollupAttributionHours = Effect.fnUntraced(function* ({
  attributionHours
}: Pick<RollupState, "attributionHours">) {
  return attributionHours ?? (yield* loadAttributionHours)
})
