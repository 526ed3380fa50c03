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

/** Returns the bounds of the local days between two quarter hours. */
const toDayBounds = (first: QuarterHour, last: QuarterHour, zone: DateTime.TimeZone): ReadonlyArray<DayBounds> => {
  const days: Array<DayBounds> = []
  let date = toLocalDate(quarterHourStart(first), zone)
  let from = toQuarterHour(startOfDay(date, zone))
  while (from <= last) {
    const next = addDays(date, 1)
    const to = toQuarterHour(startOfDay(next, zone))
    // A date that a zone skips has no quarter hours.
    if (to > from) days.push({ date, from, to })
    date = next
    from = to
  }
  return days
}

/** Sums quarter hours by local day of a zone. */
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

/** Recalculates all local days of a rollup version in this zone. */
export const rebucketDays = Effect.fnUntraced(function* (version: RollupVersion, timezone: string) {
  const rollups = yield* RollupStore
  const extent = yield* rollups.extent(version)
  const zone = DateTime.zoneMakeNamedUnsafe(timezone)
  yield* rollups.rebuildDays(version, extent === null ? [] : toDayBounds(extent.first, extent.last, zone))
})

/** Adds counts to the quarter hours and local days of a rollup version. */
export const addCounts = Effect.fnUntraced(function* (
  version: RollupVersion,
  timezone: string,
  counts: Iterable<Count>
) {
  const tallies = toTallies(counts)
  if (tallies.length === 0) return
  yield* (yield* RollupStore).add(version, tallies, toDayTallies(tallies, DateTime.zoneMakeNamedUnsafe(timezone)))
})

/** Stores the new counts of records and returns the difference from their earlier counts. The caller adds the difference. */
export const recountRecords = Effect.fnUntraced(function* (version: RollupVersion, after: CountedRecord) {
  const rollups = yield* RollupStore
  const before = yield* rollups.kept(version, [...after.keys()])
  const changed = new Map(
    [...after].filter(([key, counts]) => JSON.stringify(counts) !== JSON.stringify(before.get(key) ?? []))
  )
  yield* rollups.keep(version, changed)
  return [...changed].flatMap(([key, counts]): ReadonlyArray<Count> => [...negate(before.get(key) ?? []), ...counts])
})

/** Hours of order attribution to messages, from the broadcast settings. */
export const loadAttributionHours = Effect.gen(function* () {
  return (yield* (yield* StoredBroadcastSettings).get()).attributionHours
})

/** Returns the hours of attribution of the stored rollups. */
export const rollupAttributionHours = Effect.fnUntraced(function* ({
  attributionHours
}: Pick<RollupState, "attributionHours">) {
  return attributionHours ?? (yield* loadAttributionHours)
})
