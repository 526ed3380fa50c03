import { DateTime, Effect } from "effect"
import type { OrderId } from "../../commerce/index.ts"
import type { Edition } from "../AnalyticsBooks.ts"
import { AnalyticsRecords } from "../AnalyticsRecords.ts"
import { addCounts } from "./addCounts.ts"
import { countOrders, decidedBefore } from "./countOrders.ts"

/** How many orders are counted at once. */
const stride = 1_000

/** Decides anew which broadcasts have the credit for orders, by other hours. */
export const countOrdersAnew = Effect.fnUntraced(function* (
  edition: Edition,
  standing: Edition,
  timezone: string,
  attributionHours: number
) {
  const records = yield* AnalyticsRecords
  const since = decidedBefore(yield* DateTime.now)
  let after: OrderId | null = null
  while (true) {
    const ids: ReadonlyArray<OrderId> = yield* records.ordersAfter(after, stride, since)
    yield* addCounts(edition, timezone, yield* countOrders(edition, standing, attributionHours, ids))
    if (ids.length < stride) return
    after = ids.at(-1) ?? null
  }
})
