import { DateTime, Effect } from "effect"
import type { BroadcastId } from "../../campaigns/index.ts"
import type { OrderId } from "../../commerce/index.ts"
import { AnalyticsBooks, type Edition } from "../AnalyticsBooks.ts"
import { AnalyticsRecords, type CountedOrder } from "../AnalyticsRecords.ts"
import { type Count, RunningTallies } from "../Count.ts"
import { creditIn, orderCounts } from "./orderCounts.ts"
import { recountRecords } from "./recountRecords.ts"

/** How many orders are read at once. */
const stride = 1_000

/**
 * For how long after an order was placed its credit is decided anew: recipients are kept for 180 days, and no message has the credit for longer
 * than 30. After it the credit stays as it was counted.
 */
const decided = { days: 150 }

/** Orders that were placed before this keep their credit. */
export const decidedBefore = (now: DateTime.Utc): DateTime.Utc => DateTime.subtract(now, decided)

/** Which broadcast has the credit for each of these orders, by what there is to decide it by. */
export const creditsOf = Effect.fnUntraced(function* (standing: Edition, orders: ReadonlyArray<CountedOrder>) {
  const since = decidedBefore(yield* DateTime.now)
  const old = orders.filter(({ placedAt }) => DateTime.isLessThan(placedAt, since))
  const kept = yield* (yield* AnalyticsBooks).kept(
    standing,
    old.map(({ id }) => id)
  )
  return new Map(
    orders.map(({ creditKept, id, touchedBy }): readonly [OrderId, BroadcastId | null] => {
      const counted = kept.get(id)
      return [id, creditKept ?? (counted === undefined ? touchedBy : creditIn(counted))]
    })
  )
})

/** Counts orders as they are now; by what the edition that stands says of those whose credit is decided for good. What it comes to is not added yet. */
export const countOrders = Effect.fnUntraced(function* (
  edition: Edition,
  standing: Edition,
  attributionHours: number,
  ids: ReadonlyArray<OrderId>
) {
  const records = yield* AnalyticsRecords
  // Added up as they come, because there may be very many of them.
  const changes = new RunningTallies()
  for (let from = 0; from < ids.length; from += stride) {
    const orders = yield* records.orders(ids.slice(from, from + stride), attributionHours)
    const credits = yield* creditsOf(standing, orders)
    changes.add(
      yield* recountRecords(
        edition,
        new Map(orders.map((order) => [order.id, orderCounts(order, credits.get(order.id) ?? null)]))
      )
    )
  }
  return changes.sums.map(({ scope, ...tally }): Count => ({ ...tally, scopes: [scope] }))
})
