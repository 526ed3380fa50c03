import { Effect } from "effect"
import { AnalyticsBooks, type Edition, type Kept } from "../AnalyticsBooks.ts"
import { type Count, takenBack } from "../Count.ts"

/** Counts records as they are now, and takes back what they were counted as. What it comes to is not added yet. */
export const recountRecords = Effect.fnUntraced(function* (edition: Edition, after: Kept) {
  const books = yield* AnalyticsBooks
  const before = yield* books.kept(edition, [...after.keys()])
  const changed = new Map(
    [...after].filter(([key, counts]) => JSON.stringify(counts) !== JSON.stringify(before.get(key) ?? []))
  )
  yield* books.keep(edition, changed)
  return [...changed].flatMap(([key, counts]): ReadonlyArray<Count> => [...takenBack(before.get(key) ?? []), ...counts])
})
