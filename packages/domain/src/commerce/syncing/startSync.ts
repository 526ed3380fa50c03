import { DateTime, Effect } from "effect"
import { JobId, Jobs, startJob } from "../../platform/jobs/index.ts"
import { nextId, NotFound, transact } from "../../kernel/index.ts"
import { StoreNotConnected } from "../Errors.ts"
import type { StoreConnectionId } from "../Ids.ts"
import { StoreConnections } from "../StoreConnections.ts"
import { overlap } from "./overlap.ts"
import { syncJob } from "./syncJob.ts"

/**
 * Has a store read: all of it, or what has changed since the last whole pass. One that is being read already is not read twice: its job is the
 * answer.
 */
export const startSync = Effect.fnUntraced(function* (id: StoreConnectionId, full: boolean) {
  const connections = yield* StoreConnections
  const connection = yield* connections.lock(id)
  if (connection === null) return yield* new NotFound({ resource: "store connection" })
  if (connection.status !== "connected") return yield* new StoreNotConnected({ storeStatus: connection.status })
  const { asOf, sync } = connection
  if (sync.state === "running" && sync.jobId !== null) {
    const running = yield* (yield* Jobs).get(sync.jobId)
    if (running.finishedAt === null) return { job: running, isNew: false }
  }
  const jobId = yield* nextId(JobId)
  const begunAt = yield* DateTime.now
  const since = full || asOf === null ? null : overlap(asOf)
  const job = yield* startJob(syncJob, { jobId, storeConnectionId: id, since, begunAt }, { id: jobId })
  yield* connections.keepProgress(id, {
    sync: { state: "running", phase: "shop", progress: { done: 0, total: null }, jobId }
  })
  return { job, isNew: true }
}, transact)
