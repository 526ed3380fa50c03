import { DateTime, Effect, Metric, Schema } from "effect"
import type { OrderId } from "../commerce/index.ts"
import { CurrentOrganization, transact } from "../kernel/index.ts"
import { EventLog, EventCursors } from "../platform/events/index.ts"
import { Organizations } from "../platform/identity/index.ts"
import { RollupStore, type RollupState, type RollupComparison } from "./RollupStore.ts"
import { AnalyticsRecords } from "./AnalyticsRecords.ts"
import { addCounts, rollupAttributionHours, toDayTallies } from "./counting/addCounts.ts"
import { catchUpBroadcasts } from "./counting/countBroadcasts.ts"
import { countEvents } from "./counting/countEvents.ts"
import { countOrders } from "./counting/countOrders.ts"
import { countedEvents, countingEventConsumer } from "./counting/countingEventConsumer.ts"
import { takeCountBatch, readConsumedEvents } from "./counting/eventCounts.ts"

/** Another process has started a rebuild since. */
export class RecountOvertaken extends Schema.TaggedError<RecountOvertaken>()("RecountOvertaken", {}) {}

/** Events per unit of work. Between two units, new events can be counted. */
const eventBatchSize = 500

const lockRollup = Effect.gen(function* () {
  return yield* (yield* RollupStore).lock((yield* (yield* Organizations).current()).timezone)
})

/** Starts another rollup version and deletes an unfinished one. */
const startRebuild = Effect.gen(function* () {
  const rollups = yield* RollupStore
  const state = yield* lockRollup
  if (state.recount !== null) yield* rollups.remove(state.recount.version)
  const version = Math.max(state.version, state.recount?.version ?? 0) + 1
  yield* rollups.save({ ...state, recount: { version, position: 0 } })
  return { version }
}).pipe(transact)

type StartedRebuild = Effect.Success<typeof startRebuild>

/** Locks the state. Fails if another rebuild has started since. */
const lockRebuild = Effect.fnUntraced(function* ({ version }: StartedRebuild) {
  const state = yield* lockRollup
  const { recount } = state
  return recount?.version === version ? { ...state, recount } : yield* new RecountOvertaken()
})

/** Counts the next orders into the new rollup version. Returns the last order id; `null` after the last order. */
const countOrdersAfter = Effect.fnUntraced(function* (begun: StartedRebuild, after: OrderId | null) {
  const state = yield* lockRebuild(begun)
  const ids = yield* (yield* AnalyticsRecords).ordersAfter(after, eventBatchSize, null)
  const changes = yield* countOrders(begun.version, state.version, yield* rollupAttributionHours(state), ids)
  yield* addCounts(begun.version, state.timezone, changes)
  return ids.length < eventBatchSize ? null : (ids.at(-1) ?? null)
}, transact)

/** Log position of the current counts. The lock on the state prevents further counts. */
const loadCountedPosition = Effect.gen(function* () {
  const [subscription] = yield* (yield* EventCursors).list([countingEventConsumer])
  return subscription?.position ?? 0
})

const addErasedCounts = Effect.fnUntraced(function* (version: number, timezone: string) {
  const rollups = yield* RollupStore
  const erased = yield* rollups.erased()
  yield* rollups.add(version, erased, toDayTallies(erased, DateTime.zoneMakeNamedUnsafe(timezone)))
})

/** Counts the next events into the new rollup version. Returns its log position, and whether it has reached the current rollup version. */
const countLog = Effect.fnUntraced(function* (begun: StartedRebuild, ordersCounted: number) {
  const rollups = yield* RollupStore
  const state = yield* lockRebuild(begun)
  const { version, position: before } = state.recount
  const last = yield* loadCountedPosition
  const logged = yield* (yield* EventLog).list(countedEvents, { after: [String(before)], limit: eventBatchSize })
  const known = yield* readConsumedEvents(logged.filter((each) => each.position <= last))
  const events = takeCountBatch(known, ordersCounted)
  const { version: currentVersion, timezone } = state
  const attributionHours = yield* rollupAttributionHours(state)
  yield* countEvents({ version, currentVersion, timezone, attributionHours, counted: before, ordersCounted }, events)
  const position = events.at(-1)?.position ?? before
  yield* rollups.save({ ...state, recount: { version, position } })
  return { position, isAll: events.length === known.length && known.length < eventBatchSize }
})

/** Counts the log into the new rollup version up to the position of the current one, without orders. */
const countWholeLog = Effect.fnUntraced(function* (begun: StartedRebuild) {
  while (true) {
    const { isAll, position } = yield* transact(countLog(begun, Number.MAX_SAFE_INTEGER))
    if (isAll) return position
  }
})

/** Counts the next events into the new rollup version. After it has reached the current one, `finish` selects the one to retain. */
const countAndFinish = Effect.fnUntraced(function* <A, R>(
  begun: StartedRebuild,
  ordersCounted: number,
  finish: (state: RollupState, comparison: RollupComparison) => Effect.Effect<A, never, R>
) {
  const { isAll } = yield* countLog(begun, ordersCounted)
  if (!isAll) return null
  const state = yield* lockRebuild(begun)
  const { version } = begun
  yield* addErasedCounts(version, state.timezone)
  yield* catchUpBroadcasts(state, [state.version, version])
  return yield* finish(state, yield* (yield* RollupStore).compare(state.version, version))
}, transact)

/**
 * Counts everything into a new rollup version, from the log and the records, while counting and reading continue. `finish` runs after both versions
 * have counted the same events, in a unit of work that prevents further counts. Orders are counted after the recipients of all broadcasts, so a
 * message read between the two is known to be uncounted.
 */
export const rebuildRollups = Effect.fnUntraced(function* <A, R>(
  finish: (state: RollupState, comparison: RollupComparison) => Effect.Effect<A, never, R>
) {
  const begun = yield* startRebuild
  const ordersCounted = yield* countWholeLog(begun)
  let after: OrderId | null = null
  do after = yield* countOrdersAfter(begun, after)
  while (after !== null)
  while (true) {
    const result = yield* countAndFinish(begun, ordersCounted, finish)
    if (result !== null) return result
  }
})

/** Counts everything again and returns the differences. The current counts do not change. */
export const verifyRollups = rebuildRollups(
  Effect.fnUntraced(function* (state, comparison) {
    const rollups = yield* RollupStore
    if (state.recount !== null) yield* rollups.remove(state.recount.version)
    yield* rollups.save({ ...state, recount: null })
    return comparison
  })
)

/** Local hours of the nightly check. */
const checkHours = { from: 2, to: 5 }

/** Minimum time between two checks: less than a day, because the next night can be an hour shorter. */
const minCheckInterval = { hours: 20 }

/** Maximum number of differences in the log. */
const maxReportedDifferences = 20

const differencesMetric = Metric.counter("parley_analytics_differences_total", {
  description: "Number of daily figures that differed from a recount",
  incremental: true
})

/** Claims the check of this night for one process. */
const takeNightlyCheck = Effect.gen(function* () {
  const rollups = yield* RollupStore
  if ((yield* rollups.find()) === null) return false
  const { timezone } = yield* (yield* Organizations).current()
  const now = yield* DateTime.now
  const { hour } = DateTime.toParts(DateTime.setZone(now, DateTime.zoneMakeNamedUnsafe(timezone)))
  const state = yield* rollups.lock(timezone)
  const isEarly = state.checkedAt !== null && DateTime.isLessThan(now, DateTime.add(state.checkedAt, minCheckInterval))
  if (hour < checkHours.from || hour >= checkHours.to || isEarly) return false
  yield* rollups.save({ ...state, checkedAt: now })
  return true
}).pipe(transact)

/** Counts everything again once per night of the organization, and logs the differences. Without errors there are none. */
export const verifyNightly = Effect.gen(function* () {
  if (!(yield* takeNightlyCheck)) return
  const { differences } = yield* verifyRollups
  if (differences.length === 0) return
  yield* Metric.update(differencesMetric, differences.length)
  const reported = differences
    .slice(0, maxReportedDifferences)
    .map(({ counted, date, figure, kept }) => `${date} ${figure} kept ${kept}, counted ${counted}`)
  const { id } = yield* CurrentOrganization
  yield* Effect.logError(`${differences.length} figures of the organization ${id} differ: ${reported.join("; ")}`)
})
