import { DateTime, Effect } from "effect"
import { AnalyticsBooks, type Edition } from "../AnalyticsBooks.ts"
import { type Count, talliesOf } from "../Count.ts"
import { onDays } from "./cutDays.ts"

/** Adds counts to the quarter hours and local days of an edition. */
export const addCounts = Effect.fnUntraced(function* (edition: Edition, timezone: string, counts: Iterable<Count>) {
  const tallies = talliesOf(counts)
  if (tallies.length === 0) return
  yield* (yield* AnalyticsBooks).add(edition, tallies, onDays(tallies, DateTime.zoneMakeNamedUnsafe(timezone)))
})
