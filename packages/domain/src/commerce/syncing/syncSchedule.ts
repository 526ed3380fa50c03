import { DateTime, Duration, Effect } from "effect"
import { Jobs, wakeJob } from "../../platform/jobs/index.ts"
import type { StoreConnectionId } from "../Ids.ts"
import type { Freshness, StoreConnection } from "../StoreConnection.ts"
import { StoreConnections } from "../StoreConnections.ts"
import { hasFailed } from "./failureBackoff.ts"

/** Interval of full syncs. They detect deletions that the shop did not report. */
const fullSyncInterval = Duration.weeks(1)

const failedSyncDelay = Duration.days(1)

/**
 * Returns the time of the next full sync of a store; `null` during a sync and before a finished first import. A sync that ended early is retried
 * after a day.
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
 * Returns the time of the first import of a store; `null` if it runs, is done or was cancelled. A failed import is retried after the duration that it
 * has failed for. Each wait is therefore about twice as long as the previous one, without a stored counter.
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
  // Jobs are deleted only after any wait is over.
  if (job === null) return updatedAt
  if (job.state !== "failed" || job.finishedAt === null) return null
  const failedFor = DateTime.distance(connectedAt ?? job.createdAt, job.finishedAt)
  return DateTime.addDuration(job.finishedAt, Duration.clamp(failedFor, { minimum: soonest, maximum: latest }))
})

/** Continues a running sync that waits for an export of the shop. A wait after a failure stays. */
export const wakeSync = Effect.fnUntraced(function* (id: StoreConnectionId) {
  const [connection] = yield* (yield* StoreConnections).find([id])
  if (connection === undefined || hasFailed(connection)) return
  const { jobId, state } = connection.sync
  if (state === "running" && jobId !== null) yield* wakeJob(jobId)
})

/** Interval of reading changes that the shop did not report. */
export const pollInterval = Duration.minutes(10)

/** A change appears in the lists of a shop shortly after its timestamp. */
const listingDelay = Duration.minutes(5)

/** Returns the start time for reading changes after a pass that started at `asOf`. */
export const pollOverlap = (asOf: DateTime.Utc): DateTime.Utc => DateTime.subtractDuration(asOf, listingDelay)

const maxStaleAge = Duration.seconds(60)
const maxPollAge = Duration.minutes(20)

const isOlder = (at: DateTime.Utc, than: Duration.Duration, now: DateTime.Utc) =>
  DateTime.isLessThan(at, DateTime.subtractDuration(now, than))

/** Returns the freshness of the data of a store. `oldestMark` is the time of its oldest stale record. */
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
