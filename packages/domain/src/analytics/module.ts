import { Effect } from "effect"
import { defineArea, transact } from "../kernel/index.ts"
import { sweepTenants } from "../platform/background/index.ts"
import { Organizations } from "../platform/identity/index.ts"
import { AnalyticsBooks } from "./AnalyticsBooks.ts"
import { AnalyticsFigures } from "./AnalyticsFigures.ts"
import { AnalyticsLoad } from "./AnalyticsLoad.ts"
import { AnalyticsRecords } from "./AnalyticsRecords.ts"
import { StartedBroadcasts } from "./BroadcastFigures.ts"
import { erasedHolding, orderHolding } from "./contactHoldings.ts"
import { catchUpBroadcasts } from "./counting/countBroadcasts.ts"
import { analyticsReactions } from "./counting/countingSubscriber.ts"
import { checkNightly } from "./recounting.ts"

/** The ports that a storage adapter provides of this area. */
const analyticsStorage = [AnalyticsBooks, AnalyticsFigures, AnalyticsLoad, AnalyticsRecords, StartedBroadcasts] as const

const catchUp = Effect.gen(function* () {
  const books = yield* AnalyticsBooks
  if ((yield* books.find()) === null) return
  const book = yield* books.lock((yield* (yield* Organizations).current()).timezone)
  yield* catchUpBroadcasts(book, [book.edition])
}).pipe(transact)

/** What this area has done in the background. */
const analyticsWorks = [
  sweepTenants("figures of broadcasts", catchUp, "housekeeping"),
  sweepTenants("books of analytics", checkNightly)
] as const

/** What this area says of itself. */
export const analyticsArea = defineArea({
  name: "analytics",
  storage: analyticsStorage,
  permissions: ["analytics.read", "agent_analytics.read"],
  reactions: analyticsReactions,
  works: analyticsWorks,
  contactHoldings: [erasedHolding],
  orderHoldings: [orderHolding]
})
