import { DateTime, Effect, Metric, Schema } from "effect"
import type { OrderId } from "../commerce/index.ts"
import { CurrentOrganization, transact } from "../kernel/index.ts"
import { EventLog, Subscriptions } from "../platform/events/index.ts"
import { Organizations } from "../platform/identity/index.ts"
import { AnalyticsBooks, type Book, type EditionComparison } from "./AnalyticsBooks.ts"
import { AnalyticsRecords } from "./AnalyticsRecords.ts"
import { addCounts, hoursOfBook, onDays } from "./counting/addCounts.ts"
import { catchUpBroadcasts } from "./counting/countBroadcasts.ts"
import { countEvents } from "./counting/countEvents.ts"
import { countOrders } from "./counting/countOrders.ts"
import { countedEvents, countingSubscriber } from "./counting/countingSubscriber.ts"
import { countedTogether, readFollowed } from "./counting/eventCounts.ts"

/** Somebody else has begun to count anew since. */
export class RecountOvertaken extends Schema.TaggedError<RecountOvertaken>()("RecountOvertaken", {}) {}

/** How many events are counted in one unit of work, so that what happens meanwhile is counted in between. */
const stride = 500

const lockBook = Effect.gen(function* () {
  return yield* (yield* AnalyticsBooks).lock((yield* (yield* Organizations).current()).timezone)
})

/** Begins another edition. What was left of one that was not finished goes. */
const begin = Effect.gen(function* () {
  const books = yield* AnalyticsBooks
  const book = yield* lockBook
  if (book.recount !== null) yield* books.remove(book.recount.edition)
  const edition = Math.max(book.edition, book.recount?.edition ?? 0) + 1
  yield* books.save({ ...book, recount: { edition, position: 0 } })
  return { edition }
}).pipe(transact)

/** What is counted into. */
type Begun = Effect.Success<typeof begin>

/** The books, as long as nobody else has begun since. */
const lockBegun = Effect.fnUntraced(function* ({ edition }: Begun) {
  const book = yield* lockBook
  const { recount } = book
  return recount?.edition === edition ? { ...book, recount } : yield* new RecountOvertaken()
})

/** Counts the next orders into the other edition, each as it is, and says after which to go on; `null` after the last one. */
const countOrdersAfter = Effect.fnUntraced(function* (begun: Begun, after: OrderId | null) {
  const book = yield* lockBegun(begun)
  const ids = yield* (yield* AnalyticsRecords).ordersAfter(after, stride, null)
  const changes = yield* countOrders(begun.edition, book.edition, yield* hoursOfBook(book), ids)
  yield* addCounts(begun.edition, book.timezone, changes)
  return ids.length < stride ? null : (ids.at(-1) ?? null)
}, transact)

/** Up to where the log is counted; while the books are locked, nobody counts on. */
const counted = Effect.gen(function* () {
  const [subscription] = yield* (yield* Subscriptions).list([countingSubscriber])
  return subscription?.position ?? 0
})

const withErased = Effect.fnUntraced(function* (edition: number, timezone: string) {
  const books = yield* AnalyticsBooks
  const erased = yield* books.erased()
  yield* books.add(edition, erased, onDays(erased, DateTime.zoneMakeNamedUnsafe(timezone)))
})

/** Counts the next events into the other edition, and says up to where it has the log, and whether it has all that the books have. */
const countLog = Effect.fnUntraced(function* (begun: Begun, ordersCounted: number) {
  const books = yield* AnalyticsBooks
  const book = yield* lockBegun(begun)
  const { edition, position: before } = book.recount
  const last = yield* counted
  const logged = yield* (yield* EventLog).list(countedEvents, { after: [String(before)], limit: stride })
  const known = yield* readFollowed(logged.filter((each) => each.position <= last))
  const events = countedTogether(known, ordersCounted)
  const { edition: standing, timezone } = book
  const attributionHours = yield* hoursOfBook(book)
  yield* countEvents({ edition, standing, timezone, attributionHours, counted: before, ordersCounted }, events)
  const position = events.at(-1)?.position ?? before
  yield* books.save({ ...book, recount: { edition, position } })
  return { position, isAll: events.length === known.length && known.length < stride }
})

/** Counts the log into the other edition as far as the books have it, but no orders. */
const countLogAlone = Effect.fnUntraced(function* (begun: Begun) {
  while (true) {
    const { isAll, position } = yield* transact(countLog(begun, Number.MAX_SAFE_INTEGER))
    if (isAll) return position
  }
})

/** Counts the next events into the other edition. Once it has all that the books have, `finish` says which one stays. */
const step = Effect.fnUntraced(function* <A, R>(
  begun: Begun,
  ordersCounted: number,
  finish: (book: Book, comparison: EditionComparison) => Effect.Effect<A, never, R>
) {
  const { isAll } = yield* countLog(begun, ordersCounted)
  if (!isAll) return null
  const book = yield* lockBegun(begun)
  const { edition } = begun
  yield* withErased(edition, book.timezone)
  yield* catchUpBroadcasts(book, [book.edition, edition])
  return yield* finish(book, yield* (yield* AnalyticsBooks).compare(book.edition, edition))
}, transact)

/**
 * Counts everything anew beside what is kept, from the log and the records, while figures are counted and answered. `finish` runs once both have
 * counted the same events, in a unit of work that keeps them so. Orders come after the recipients of all broadcasts, so that who reads a message
 * between the two is known not to be counted yet.
 */
export const recount = Effect.fnUntraced(function* <A, R>(
  finish: (book: Book, comparison: EditionComparison) => Effect.Effect<A, never, R>
) {
  const begun = yield* begin
  const ordersCounted = yield* countLogAlone(begun)
  let after: OrderId | null = null
  do after = yield* countOrdersAfter(begun, after)
  while (after !== null)
  while (true) {
    const result = yield* step(begun, ordersCounted, finish)
    if (result !== null) return result
  }
})

/** Counts everything anew, and says where what is kept differs from it. Nothing of what is kept changes. */
export const checkBooks = recount(
  Effect.fnUntraced(function* (book, comparison) {
    const books = yield* AnalyticsBooks
    if (book.recount !== null) yield* books.remove(book.recount.edition)
    yield* books.save({ ...book, recount: null })
    return comparison
  })
)

/** The hours of the organization's night in which its books are checked. */
const night = { from: 2, to: 5 }

/** Between two checks: less than a day, because the next night may be an hour shorter. */
const apart = { hours: 20 }

/** How many differences are told one by one. */
const mostTold = 20

const differing = Metric.counter("parley_analytics_differences_total", {
  description: "How many figures of days differed from what was counted anew",
  incremental: true
})

/** Takes the check of this night, so that one process does it. */
const take = Effect.gen(function* () {
  const books = yield* AnalyticsBooks
  if ((yield* books.find()) === null) return false
  const { timezone } = yield* (yield* Organizations).current()
  const now = yield* DateTime.now
  const { hour } = DateTime.toParts(DateTime.setZone(now, DateTime.zoneMakeNamedUnsafe(timezone)))
  const book = yield* books.lock(timezone)
  const isEarly = book.checkedAt !== null && DateTime.isLessThan(now, DateTime.add(book.checkedAt, apart))
  if (hour < night.from || hour >= night.to || isEarly) return false
  yield* books.save({ ...book, checkedAt: now })
  return true
}).pipe(transact)

/** Counts everything anew once in each night of the organization, and says where it differs from what is kept: nowhere, if all is right. */
export const checkNightly = Effect.gen(function* () {
  if (!(yield* take)) return
  const { differences } = yield* checkBooks
  if (differences.length === 0) return
  yield* Metric.update(differing, differences.length)
  const told = differences
    .slice(0, mostTold)
    .map(({ counted, date, figure, kept }) => `${date} ${figure} kept ${kept}, counted ${counted}`)
  const { id } = yield* CurrentOrganization
  yield* Effect.logError(`${differences.length} figures of the organization ${id} differ: ${told.join("; ")}`)
})
