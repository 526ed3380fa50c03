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

/** Somebody else has begun to count anew since. */
export class RecountOvertaken extends Schema.TaggedError<RecountOvertaken>()("RecountOvertaken", {}) {}

/** How many events are counted in one unit of work, so that what happens meanwhile is counted in between. */
const eventBatchSize = 500

const lockRollup = Effect.gen(function* () {
  return yield* (yield* RollupStore).lock((yield* (yield* Organizations).current()).timezone)
})

/** Begins another edition. What was left of one that was not finished goes. */
const startRebuild = Effect.gen(function* () {
  const books = yield* RollupStore
  const book = yield* lockRollup
  if (book.recount !== null) yield* books.remove(book.recount.edition)
  const edition = Math.max(book.edition, book.recount?.edition ?? 0) + 1
  yield* books.save({ ...book, recount: { edition, position: 0 } })
  return { edition }
}).pipe(transact)

/** What is counted into. */
type StartedRebuild = Effect.Success<typeof startRebuild>

/** The books, as long as nobody else has begun since. */
const lockRebuild = Effect.fnUntraced(function* ({ edition }: StartedRebuild) {
  const book = yield* lockRollup
  const { recount } = book
  return recount?.edition === edition ? { ...book, recount } : yield* new RecountOvertaken()
})

/** Counts the next orders into the other edition, each as it is, and says after which to go on; `null` after the last one. */
const countOrdersAfter = Effect.fnUntraced(function* (begun: StartedRebuild, after: OrderId | null) {
  const book = yield* lockRebuild(begun)
  const ids = yield* (yield* AnalyticsRecords).ordersAfter(after, eventBatchSize, null)
  const changes = yield* countOrders(begun.edition, book.edition, yield* rollupAttributionHours(book), ids)
  yield* addCounts(begun.edition, book.timezone, changes)
  return ids.length < eventBatchSize ? null : (ids.at(-1) ?? null)
}, transact)

/** Up to where the log is counted; while the books are locked, nobody counts on. */
const loadCountedPosition = Effect.gen(function* () {
  const [subscription] = yield* (yield* EventCursors).list([countingEventConsumer])
  return subscription?.position ?? 0
})

const addErasedCounts = Effect.fnUntraced(function* (edition: number, timezone: string) {
  const books = yield* RollupStore
  const erased = yield* books.erased()
  yield* books.add(edition, erased, toDayTallies(erased, DateTime.zoneMakeNamedUnsafe(timezone)))
})

/** Counts the next events into the other edition, and says up to where it has the log, and whether it has all that the books have. */
const countLog = Effect.fnUntraced(function* (begun: StartedRebuild, ordersCounted: number) {
  const books = yield* RollupStore
  const book = yield* lockRebuild(begun)
  const { edition, position: before } = book.recount
  const last = yield* loadCountedPosition
  const logged = yield* (yield* EventLog).list(countedEvents, { after: [String(before)], limit: eventBatchSize })
  const known = yield* readConsumedEvents(logged.filter((each) => each.position <= last))
  const events = takeCountBatch(known, ordersCounted)
  const { edition: standing, timezone } = book
  const attributionHours = yield* rollupAttributionHours(book)
  yield* countEvents({ edition, standing, timezone, attributionHours, counted: before, ordersCounted }, events)
  const position = events.at(-1)?.position ?? before
  yield* books.save({ ...book, recount: { edition, position } })
  return { position, isAll: events.length === known.length && known.length < eventBatchSize }
})

/** Counts the log into the other edition as far as the books have it, but no orders. */
const countWholeLog = Effect.fnUntraced(function* (begun: StartedRebuild) {
  while (true) {
    const { isAll, position } = yield* transact(countLog(begun, Number.MAX_SAFE_INTEGER))
    if (isAll) return position
  }
})

/** Counts the next events into the other edition. Once it has all that the books have, `finish` says which one stays. */
const countAndFinish = Effect.fnUntraced(function* <A, R>(
  begun: StartedRebuild,
  ordersCounted: number,
  finish: (book: RollupState, comparison: RollupComparison) => Effect.Effect<A, never, R>
) {
  const { isAll } = yield* countLog(begun, ordersCounted)
  if (!isAll) return null
  const book = yield* lockRebuild(begun)
  const { edition } = begun
  yield* addErasedCounts(edition, book.timezone)
  yield* catchUpBroadcasts(book, [book.edition, edition])
  return yield* finish(book, yield* (yield* RollupStore).compare(book.edition, edition))
}, transact)

/**
 * Counts everything anew beside what is kept, from the log and the records, while figures are counted and answered. `finish` runs once both have
 * counted the same events, in a unit of work that keeps them so. Orders come after the recipients of all broadcasts, so that who reads a message
 * between the two is known not to be counted yet.
 */
export const rebuildRollups = Effect.fnUntraced(function* <A, R>(
  finish: (book: RollupState, comparison: RollupComparison) => Effect.Effect<A, never, R>
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

/** Counts everything anew, and says where what is kept differs from it. Nothing of what is kept changes. */
export const verifyRollups = rebuildRollups(
  Effect.fnUntraced(function* (book, comparison) {
    const books = yield* RollupStore
    if (book.recount !== null) yield* books.remove(book.recount.edition)
    yield* books.save({ ...book, recount: null })
    return comparison
  })
)

/** The hours of the organization's night in which its books are checked. */
const checkHours = { from: 2, to: 5 }

/** Between two checks: less than a day, because the next night may be an hour shorter. */
const minCheckInterval = { hours: 20 }

/** How many differences are told one by one. */
const maxReportedDifferences = 20

const differencesMetric = Metric.counter("parley_analytics_differences_total", {
  description: "How many figures of days differed from what was counted anew",
  incremental: true
})

/** Takes the check of this night, so that one process does it. */
const takeNightlyCheck = Effect.gen(function* () {
  const books = yield* RollupStore
  if ((yield* books.find()) === null) return false
  const { timezone } = yield* (yield* Organizations).current()
  const now = yield* DateTime.now
  const { hour } = DateTime.toParts(DateTime.setZone(now, DateTime.zoneMakeNamedUnsafe(timezone)))
  const book = yield* books.lock(timezone)
  const isEarly = book.checkedAt !== null && DateTime.isLessThan(now, DateTime.add(book.checkedAt, minCheckInterval))
  if (hour < checkHours.from || hour >= checkHours.to || isEarly) return false
  yield* books.save({ ...book, checkedAt: now })
  return true
}).pipe(transact)

/** Counts everything anew once in each night of the organization, and says where it differs from what is kept: nowhere, if all is right. */
export const verifyNightly = Effect.gen(function* () {
  if (!(yield* takeNightlyCheck)) return
  const { differences } = yield* verifyRollups
  if (differences.length === 0) return
  yield* Metric.update(differencesMetric, differences.length)
  const told = differences
    .slice(0, maxReportedDifferences)
    .map(({ counted, date, figure, kept }) => `${date} ${figure} kept ${kept}, counted ${counted}`)
  const { id } = yield* CurrentOrganization
  yield* Effect.logError(`${differences.length} figures of the organization ${id} differ: ${told.join("; ")}`)
})
