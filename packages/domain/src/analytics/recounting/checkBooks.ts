import { Effect } from "effect"
import { AnalyticsBooks } from "../AnalyticsBooks.ts"
import { recount } from "./recount.ts"

/** Counts everything anew, and says where what is kept differs from it. Nothing of what is kept changes. */
export const checkBooks = recount(
  Effect.fnUntraced(function* (book, comparison) {
    const books = yield* AnalyticsBooks
    if (book.recount !== null) yield* books.remove(book.recount.edition)
    yield* books.save({ ...book, recount: null })
    return comparison
  })
)
