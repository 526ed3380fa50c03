import { DateTime, Effect } from "effect"
import { asSystem, nextId, NotFound, transact } from "../../kernel/index.ts"
import { type LaneLease, defineLaneWorker } from "../../platform/background/index.ts"
import { JobId, Jobs, startJob } from "../../platform/jobs/index.ts"
import { StoreConnectionId } from "../Ids.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import { StoreConnections, storesTaskName } from "../StoreConnections.ts"
import { StaleRecords } from "../StaleRecords.ts"
import type { StoreFailure } from "../StorePlatform.ts"
import { nextCartTimeoutAt, runCartTimeouts } from "../cartTimeouts.ts"
import { StoreNotConnected } from "../errors.ts"
import { pollChanges, refreshStaleRecords } from "./changePolling.ts"
import { backOff, clearFailures, toStoreError, hasFailed } from "./failureBackoff.ts"
import { retrySkipped } from "./skippedRetries.ts"
import { syncJob } from "./syncJob.ts"
import { fullSyncDueAt, importDueAt, pollOverlap, pollInterval } from "./syncSchedule.ts"

/** Runs an effect in the organization as the system actor of stores. */
export const asCommerceSystem = asSystem("stores")

/** Starts a sync of a store: all records, or the changes since the last complete pass. Returns the running job instead of starting a second one. */
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
  const since = full || asOf === null ? null : pollOverlap(asOf)
  const job = yield* startJob(syncJob, { jobId, storeConnectionId: id, since, begunAt }, { id: jobId })
  yield* connections.keepProgress(id, {
    sync: { state: "running", phase: "shop", progress: { done: 0, total: null }, jobId }
  })
  return { job, isNew: true }
}, transact)

/** Number of stores that a process updates concurrently. */
const storeConcurrency = 4

const findConnection = Effect.fnUntraced(function* ({ key }: LaneLease) {
  const [connection] = yield* (yield* StoreConnections).find([StoreConnectionId.make(key)])
  return connection?.status === "connected" ? connection : null
})

const isDue = (now: DateTime.Utc, due: DateTime.Utc | null) => due !== null && DateTime.isGreaterThanOrEqualTo(now, due)

/** Returns the time of the next full sync: the first import, or a later sync that finds missing records. */
const syncDueAt = (connection: StoreConnection) =>
  connection.asOf === null ? importDueAt(connection) : fullSyncDueAt(connection)

const pollDueAt = (asOf: DateTime.Utc) => DateTime.addDuration(asOf, pollInterval)

/** Updates a store: reads stale records, polls unreported changes and applies cart timeouts. */
const updateStore = Effect.fnUntraced(
  function* (lease: LaneLease) {
    const connection = yield* findConnection(lease)
    if (connection === null) return
    const { asOf, id, retry, sync } = connection
    if (isDue(yield* DateTime.now, yield* syncDueAt(connection))) yield* startSync(id, true)
    yield* runCartTimeouts(connection)
    // New deliveries of a busy store also wake the lane. They must not shorten the wait.
    if (retry !== null && !isDue(yield* DateTime.now, retry.at)) return
    const hasRead = yield* refreshStaleRecords(lease, id)
    const hasAsked = (yield* retrySkipped(lease, connection)) || hasRead
    if (hasAsked && hasFailed(connection)) yield* clearFailures(id)
    if (asOf === null || sync.state === "running") return
    if (isDue(yield* DateTime.now, pollDueAt(asOf))) yield* pollChanges(lease, connection, asOf)
  },
  // The store is disconnected, or the operator has removed the app of the provider.
  Effect.catchTags({
    NotFound: () => Effect.void,
    StoreNotConnected: () => Effect.void,
    StoreAppNotConfigured: () => Effect.void
  })
)

/** A failure of the store appears on its connection. An invalid call is a failure of this lane. */
const handleFailure = Effect.fnUntraced(function* ({ key }: LaneLease, failure: StoreFailure) {
  yield* backOff(StoreConnectionId.make(key), failure)
  if (toStoreError(failure, yield* DateTime.now) === null) return yield* failure
})

const updateWithBackoff = (lease: LaneLease) =>
  updateStore(lease).pipe(
    Effect.catchTags({
      StoreRefused: (failure) => handleFailure(lease, failure),
      StoreUnreachable: (failure) => handleFailure(lease, failure)
    })
  )

const earliest = (times: ReadonlyArray<DateTime.Utc | null>): DateTime.Utc | null =>
  times.reduce((first, at) => (at === null || (first !== null && DateTime.isLessThan(first, at)) ? first : at), null)

const nextDue = Effect.fnUntraced(function* (lease: LaneLease) {
  const connection = yield* findConnection(lease)
  if (connection === null) return null
  const { asOf, id, retry, sync } = connection
  const [mark] = yield* (yield* StaleRecords).oldestOf([id])
  const asking = earliest([mark?.toldAt ?? null, asOf === null || sync.state === "running" ? null : pollDueAt(asOf)])
  return earliest([
    asking === null || retry === null ? asking : DateTime.max(asking, retry.at),
    yield* syncDueAt(connection),
    yield* nextCartTimeoutAt(connection)
  ])
})

/** Updates each connected store. One process at a time works on a store. */
export const storeLaneWorker = defineLaneWorker({
  name: storesTaskName,
  concurrency: storeConcurrency,
  run: (lease) => asCommerceSystem(lease.organizationId)(updateWithBackoff(lease)),
  nextDue: (lease) => asCommerceSystem(lease.organizationId)(nextDue(lease))
})
