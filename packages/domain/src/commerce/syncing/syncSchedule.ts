import { DateTime, Duration, Effect } from "effect"
import { Jobs } from "../../platform/jobs/index.ts"
import type { Freshness, StoreConnection } from "../StoreConnection.ts"

/** How often a store is read as a whole, so that deletions are noticed of which nothing was told. */
const fullSyncInterval = Duration.weeks(1)

const failedSyncDelay = Duration.days(1)

/**
 * When a store is to be read as a whole again; `null` where its first import is not done, or it is being read. A sync that has ended before its time is tried
 * again after a day.
 */
export const fullSyncDueAt = Effect.fnUntraced(function* ({
  asOf,
  fullAsOf,
  sync
}: Pick<StoreConnection, "asOf" | "fullAsOf" | "sync">) {
  if (asOf === null || sync.state === "running") return null
  const due = DateTime.addDuration(fullAsOf ?? asOf, fullSyncInterval)
  if (sync.state !== "failed" || sync.jobId === null) return due
  const job = yield* Effect.catchTag((yield* Jobs).get(sync.jobId), "NotFound", () => Effect.succeed(null))
  return job?.finishedAt == null ? due : DateTime.max(due, DateTime.addDuration(job.finishedAt, failedSyncDelay))
})

const [soonest, latest] = [Duration.minutes(10), Duration.hours(6)]

/**
 * When the first import of a store is to begin; `null` where it is under way, done, or was cancelled by somebody. One that has failed begins again after as long
 * as it has failed for: so each wait is about twice as long as the one before it, and nobody has to count them.
 */
export const importDueAt = Effect.fnUntraced(function* ({
  asOf,
  connectedAt,
  sync,
  updatedAt
}: Pick<StoreConnection, "asOf" | "connectedAt" | "sync" | "updatedAt">) {
  if (sync.state === "never") return updatedAt
  if (sync.state !== "failed" || asOf !== null || sync.jobId === null) return null
  const job = yield* Effect.catchTag((yield* Jobs).get(sync.jobId), "NotFound", () => Effect.succeed(null))
  // Jobs are forgotten after so long that any wait is over.
  if (job === null) return updatedAt
  if (job.state !== "failed" || job.finishedAt === null) return null
  const failedFor = DateTime.distance(connectedAt ?? job.createdAt, job.finishedAt)
  return DateTime.addDuration(job.finishedAt, Duration.clamp(failedFor, { minimum: soonest, maximum: latest }))
})

/** How often changes are read of which the shop has told nothing. */
export const pollInterval = Duration.minutes(10)

/** Changes are seen in a shop's lists a little after the time that they bear. */
const listingDelay = Duration.minutes(5)

/** Since when changes are read after a pass that began then. */
export const pollOverlap = (asOf: DateTime.Utc): DateTime.Utc => DateTime.subtractDuration(asOf, listingDelay)

const maxStaleAge = Duration.seconds(60)
const maxPollAge = Duration.minutes(20)

const isOlder = (at: DateTime.Utc, than: Duration.Duration, now: DateTime.Utc) =>
  DateTime.isLessThan(at, DateTime.subtractDuration(now, than))

/** How far what is known of a store can be behind it. `oldestMark` is when the oldest change was told that is not read yet. */
export const toFreshness = (
  { asOf, status, sync }: Pick<StoreConnection, "asOf" | "status" | "sync">,
  oldestMark: DateTime.Utc | null,
  now: DateTime.Utc
): Freshness => {
  if (status !== "connected") return { state: "frozen", asOf }
  const isBehind = oldestMark !== null && isOlder(oldestMark, maxStaleAge, now)
  if (asOf === null || sync.state === "running" || isBehind) return { state: "catching_up", asOf }
  return { state: isOlder(asOf, maxPollAge, now) ? "stale" : "live", asOf }
}
