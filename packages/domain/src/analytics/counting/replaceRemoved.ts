import { Effect } from "effect"
import type { OrderId } from "../../commerce/index.ts"
import { AnalyticsBooks, type Book, type Kept, removedOrders } from "../AnalyticsBooks.ts"
import { AnalyticsRecords } from "../AnalyticsRecords.ts"
import { takenBack, talliesOf } from "../Count.ts"
import { addCounts } from "./addCounts.ts"
import { creditIn } from "./orderCounts.ts"

/**
 * Takes back the counts that orders have from an earlier connection of their shop, because these orders are counted again now. They keep the credit
 * of that time.
 */
export const replaceRemoved = Effect.fnUntraced(function* (
  { edition, timezone }: Pick<Book, "edition" | "timezone">,
  ids: ReadonlyArray<OrderId>
) {
  if (ids.length === 0) return
  const [books, records] = [yield* AnalyticsBooks, yield* AnalyticsRecords]
  const origins = yield* records.origins(ids)
  const removed = yield* books.kept(removedOrders, [...origins.values()])
  if (removed.size === 0) return
  const counts = takenBack([...removed.values()].flat())
  yield* books.addErased(talliesOf(counts))
  yield* addCounts(edition, timezone, counts)
  const credits = [...origins].flatMap(([id, origin]) => {
    const credit = creditIn(removed.get(origin) ?? [])
    return credit === null ? [] : [[id, credit] as const]
  })
  yield* books.keepCredits(new Map(credits))
  yield* books.keep(removedOrders, new Map([...removed.keys()].map((origin) => [origin, []])))
})

/** Stores the counts of orders that are removed, by origin. */
export const keepRemoved = Effect.fnUntraced(function* (counted: Kept, ids: ReadonlyArray<OrderId>) {
  const origins = yield* (yield* AnalyticsRecords).origins(ids)
  const removed = [...origins].flatMap(([id, origin]) => {
    const counts = counted.get(id)
    return counts === undefined ? [] : [[origin, counts] as const]
  })
  yield* (yield* AnalyticsBooks).keep(removedOrders, new Map(removed))
})
