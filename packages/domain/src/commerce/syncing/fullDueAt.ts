import { DateTime, Duration, Effect } from "effect"
import { Jobs } from "../../platform/jobs/index.ts"
import type { StoreConnection } from "../StoreConnection.ts"

/** How often a store is read as a whole, so that deletions are noticed of which nothing was told. */
const fullEvery = Duration.weeks(1)

const restAfterFailure = Duration.days(1)

/**
 * When a store is to be read as a whole again; `null` where its first import is not done, or it is being read. A sync that has ended before its time is tried
 * again after a day.
 */
export const fullDueAt = Effect.fnUntraced(function* ({
  asOf,
  fullAsOf,
  sync
}: Pick<StoreConnection, "asOf" | "fullAsOf" | "sync">) {
  if (asOf === null || sync.state === "running") return null
  const due = DateTime.addDuration(fullAsOf ?? asOf, fullEvery)
  if (sync.state !== "failed" || sync.jobId === null) return due
  const job = yield* Effect.catchTag((yield* Jobs).get(sync.jobId), "NotFound", () => Effect.succeed(null))
  return job?.finishedAt == null ? due : DateTime.max(due, DateTime.addDuration(job.finishedAt, restAfterFailure))
})
