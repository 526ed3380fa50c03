import { Effect } from "effect"
import { StoredBroadcastSettings } from "../../campaigns/index.ts"
import type { Book } from "../AnalyticsBooks.ts"

/** For how many hours messages get the credit for orders by the settings of broadcasts. */
export const hoursOfSettings = Effect.gen(function* () {
  return (yield* (yield* StoredBroadcastSettings).get()).attributionHours
})

/** For how many hours they do as it is counted. */
export const hoursOfBook = Effect.fnUntraced(function* ({ attributionHours }: Pick<Book, "attributionHours">) {
  return attributionHours ?? (yield* hoursOfSettings)
})
