import { Effect } from "effect"
import type { BroadcastId } from "../campaigns/index.ts"
import { Organizations } from "../platform/identity/index.ts"
import type { OrderId } from "../commerce/index.ts"
import { AnalyticsBooks, type Book } from "./AnalyticsBooks.ts"
import { AnalyticsRecords } from "./AnalyticsRecords.ts"
import { takenBack, talliesOf } from "./Count.ts"
import { addCounts } from "./counting/addCounts.ts"
import { hoursOfSettings } from "./counting/attributionHours.ts"
import { countOrders, creditsOf } from "./counting/countOrders.ts"
import { keepRemoved, replaceRemoved } from "./counting/replaceRemoved.ts"

/** How many orders are released at once. */
const stride = 1_000

const nothing = { edition: 0 }

/** Keeps which broadcasts have the credit for orders, as it is decided now: once they are nobody's, nothing decides it any more. */
export const keepCredits = Effect.fnUntraced(function* (ids: ReadonlyArray<OrderId>) {
  const [books, records] = [yield* AnalyticsBooks, yield* AnalyticsRecords]
  const book = (yield* books.find()) ?? nothing
  const hours = yield* hoursOfSettings
  for (let from = 0; from < ids.length; from += stride) {
    const credits = yield* creditsOf(book.edition, yield* records.orders(ids.slice(from, from + stride), hours))
    const some = Array.from(credits).filter((each): each is [OrderId, BroadcastId] => each[1] !== null)
    yield* books.keepCredits(new Map(some))
  }
})

const forgetIn = Effect.fnUntraced(function* ({ recount, timezone }: Book, keys: ReadonlyArray<OrderId>) {
  const books = yield* AnalyticsBooks
  const none = new Map(keys.map((key) => [key, []]))
  if (recount !== null) {
    // What is counted anew gets what has gone at its end.
    const kept = yield* books.kept(recount.edition, keys)
    yield* addCounts(recount.edition, timezone, takenBack([...kept.values()].flat()))
    yield* books.keep(recount.edition, none)
  }
  return none
})

/** What is counted of orders is nameless, and stays: whoever has placed them, and whether they are there any more or not. */
export const orderHolding = {
  release: keepCredits,
  remove: Effect.fnUntraced(function* (ids: ReadonlyArray<OrderId>) {
    const books = yield* AnalyticsBooks
    const book = yield* books.lock((yield* (yield* Organizations).current()).timezone)
    const { edition, timezone } = book
    yield* replaceRemoved(book, ids)
    yield* addCounts(edition, timezone, yield* countOrders(edition, edition, yield* hoursOfSettings, ids))
    const counted = yield* books.kept(edition, ids)
    yield* books.addErased(talliesOf([...counted.values()].flat()))
    yield* keepRemoved(counted, ids)
    yield* books.keep(edition, yield* forgetIn(book, ids))
    yield* books.dropCredits(ids)
  })
}
