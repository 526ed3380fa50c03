import { DateTime, Duration, Effect } from "effect"
import { Jobs } from "../../platform/jobs/index.ts"
import type { StoreConnection } from "../StoreConnection.ts"

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
