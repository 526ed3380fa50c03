import { Effect } from "effect"
import { Organizations } from "../platform/identity/index.ts"
import { transact } from "../kernel/index.ts"
import { sweepTenants } from "../platform/background/index.ts"
import { AnalyticsBooks } from "./AnalyticsBooks.ts"
import { checkNightly } from "./recounting/checkNightly.ts"
import { catchUpBroadcasts } from "./counting/countBroadcasts.ts"

const catchUp = Effect.gen(function* () {
  const books = yield* AnalyticsBooks
  if ((yield* books.find()) === null) return
  const book = yield* books.lock((yield* (yield* Organizations).current()).timezone)
  yield* catchUpBroadcasts(book, [book.edition])
}).pipe(transact)

/** What this area has done in the background. */
export const analyticsWorks = [
  sweepTenants("figures of broadcasts", catchUp, "housekeeping"),
  sweepTenants("books of analytics", checkNightly)
] as const
