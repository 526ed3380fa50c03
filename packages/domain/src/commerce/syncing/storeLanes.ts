import { DateTime, Effect } from "effect"
import { type LaneLease, laneWork } from "../../platform/background/index.ts"
import { asStore } from "../access/asStore.ts"
import { cartClockDueAt, runCartClock } from "../carts/cartClock.ts"
import { StoreConnectionId } from "../Ids.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import { StoreConnections } from "../StoreConnections.ts"
import type { StoreFailure } from "../StoreFailures.ts"
import { StoreMarks } from "../StoreMarks.ts"
import { backOff, clearFailures, errorOf, hasFailed } from "./failures.ts"
import { fullDueAt } from "./fullDueAt.ts"
import { importDueAt } from "./importDueAt.ts"
import { passEvery } from "./passEvery.ts"
import { passOver } from "./passOver.ts"
import { readMarks } from "./readMarks.ts"
import { retrySkipped } from "./skipped.ts"
import { startSync } from "./startSync.ts"
import { storesWork } from "./storeLane.ts"

/** How many stores a process keeps up with at once. */
const storesAtOnce = 4

const connectionOf = Effect.fnUntraced(function* ({ key }: LaneLease) {
  const [connection] = yield* (yield* StoreConnections).find([StoreConnectionId.make(key)])
  return connection?.status === "connected" ? connection : null
})

const isBy = (now: DateTime.Utc, due: DateTime.Utc | null) => due !== null && DateTime.isGreaterThanOrEqualTo(now, due)

/** When everything is to be read: for the first time, or to find what is missing. */
const syncDueAt = (connection: StoreConnection) =>
  connection.asOf === null ? importDueAt(connection) : fullDueAt(connection)

const passDueAt = (asOf: DateTime.Utc) => DateTime.addDuration(asOf, passEvery)

/** Keeps up with a store: what it has told to be changed, what has changed without a word, and what becomes of silent carts. */
const keepUp = Effect.fnUntraced(
  function* (lease: LaneLease) {
    const connection = yield* connectionOf(lease)
    if (connection === null) return
    const { asOf, id, retry, sync } = connection
    if (isBy(yield* DateTime.now, yield* syncDueAt(connection))) yield* startSync(id, true)
    yield* runCartClock(connection)
    // New deliveries of a busy store also wake the lane. They must not shorten the wait.
    if (retry !== null && !isBy(yield* DateTime.now, retry.at)) return
    const hasRead = yield* readMarks(lease, id)
    const hasAsked = (yield* retrySkipped(lease, connection)) || hasRead
    if (hasAsked && hasFailed(connection)) yield* clearFailures(id)
    if (asOf === null || sync.state === "running") return
    if (isBy(yield* DateTime.now, passDueAt(asOf))) yield* passOver(lease, connection, asOf)
  },
  // Somebody has disconnected the store, or the operator has no app there any more.
  Effect.catchTags({
    NotFound: () => Effect.void,
    StoreNotConnected: () => Effect.void,
    StorefrontAppAbsent: () => Effect.void
  })
)

/** A failure of the store appears on its connection. An invalid call is a failure of this lane. */
const afterFailure = Effect.fnUntraced(function* ({ key }: LaneLease, failure: StoreFailure) {
  yield* backOff(StoreConnectionId.make(key), failure)
  if (errorOf(failure, yield* DateTime.now) === null) return yield* failure
})

const tolerant = (lease: LaneLease) =>
  keepUp(lease).pipe(
    Effect.catchTags({
      StoreRefused: (failure) => afterFailure(lease, failure),
      StoreUnreachable: (failure) => afterFailure(lease, failure)
    })
  )

const earliest = (times: ReadonlyArray<DateTime.Utc | null>): DateTime.Utc | null =>
  times.reduce((first, at) => (at === null || (first !== null && DateTime.isLessThan(first, at)) ? first : at), null)

const nextDue = Effect.fnUntraced(function* (lease: LaneLease) {
  const connection = yield* connectionOf(lease)
  if (connection === null) return null
  const { asOf, id, retry, sync } = connection
  const [mark] = yield* (yield* StoreMarks).oldestOf([id])
  const asking = earliest([mark?.toldAt ?? null, asOf === null || sync.state === "running" ? null : passDueAt(asOf)])
  return earliest([
    asking === null || retry === null ? asking : DateTime.max(asking, retry.at),
    yield* syncDueAt(connection),
    yield* cartClockDueAt(connection)
  ])
})

/** Each connected store is kept up with, by one process at a time. */
export const storeLanes = laneWork({
  name: storesWork,
  concurrency: storesAtOnce,
  run: (lease) => asStore(lease.organizationId)(tolerant(lease)),
  nextDue: (lease) => asStore(lease.organizationId)(nextDue(lease))
})
