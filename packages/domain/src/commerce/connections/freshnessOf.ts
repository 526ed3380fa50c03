import { DateTime, Duration } from "effect"
import type { Freshness, StoreConnection } from "../StoreConnection.ts"

const longestMark = Duration.seconds(60)
const longestPass = Duration.minutes(20)

const isOlder = (at: DateTime.Utc, than: Duration.Duration, now: DateTime.Utc) =>
  DateTime.isLessThan(at, DateTime.subtractDuration(now, than))

/** How far what is known of a store can be behind it. `oldestMark` is when the oldest change was told that is not read yet. */
export const freshnessOf = (
  { asOf, status, sync }: Pick<StoreConnection, "asOf" | "status" | "sync">,
  oldestMark: DateTime.Utc | null,
  now: DateTime.Utc
): Freshness => {
  if (status !== "connected") return { state: "frozen", asOf }
  const isBehind = oldestMark !== null && isOlder(oldestMark, longestMark, now)
  if (asOf === null || sync.state === "running" || isBehind) return { state: "catching_up", asOf }
  return { state: isOlder(asOf, longestPass, now) ? "stale" : "live", asOf }
}
