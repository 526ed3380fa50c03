import { DateTime, Effect, Metric } from "effect"
import { Organizations } from "../../platform/identity/index.ts"
import { CurrentOrganization, transact } from "../../kernel/index.ts"
import { AnalyticsBooks } from "../AnalyticsBooks.ts"
import { checkBooks } from "./checkBooks.ts"

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
