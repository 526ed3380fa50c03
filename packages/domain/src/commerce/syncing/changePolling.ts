import { DateTime, Duration, Effect } from "effect"
import { transact } from "../../kernel/index.ts"
import { type LaneLease, LaneQueue } from "../../platform/background/index.ts"
import type { StoreConnectionId } from "../Ids.ts"
import type { StaleRecordKind } from "../Shop.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import { StoreConnections, withStoreLock } from "../StoreConnections.ts"
import { type StaleRecord, StaleRecords } from "../StaleRecords.ts"
import { StoreSettings, storeWebhookPath, type UnreadableRecord } from "../StorePlatform.ts"
import { deleteRecords } from "../receiving/deleteRecords.ts"
import { receiveCustomers } from "../receiving/receiveCustomers.ts"
import { receiveOrders } from "../receiving/receiveOrders.ts"
import { receiveProducts } from "../receiving/receiveProducts.ts"
import { type OpenShop, withShop } from "../shopAccess.ts"
import { clearTransientError } from "./failureBackoff.ts"
import { readPage, recordKinds } from "./pages.ts"
import { recordSkipped } from "./skippedRetries.ts"
import { pollOverlap } from "./syncSchedule.ts"

/** Maximum number of records that a platform reads in one call. */
const readBatchSize = 50

const staleRecordKinds: ReadonlyArray<StaleRecordKind> = ["orders", "customers", "products"]

const toReadOutcome = (
  kind: StaleRecordKind,
  records: ReadonlyArray<{ readonly externalId: string }>,
  gone: ReadonlyArray<string>,
  unreadable: ReadonlyArray<UnreadableRecord>
) => ({ kind, settled: [...records.map(({ externalId }) => externalId), ...gone], unreadable })

/** Reads records of a kind. Returns the outcome, and the effect that stores the found records. */
const read = Effect.fnUntraced(function* (
  { access, connection, platform }: OpenShop,
  kind: StaleRecordKind,
  ids: ReadonlyArray<string>
) {
  switch (kind) {
    case "customers": {
      const { gone, records, unreadable } = yield* platform.read(access, kind, ids)
      const outcome = toReadOutcome(kind, records, gone, unreadable)
      return { gone, outcome, receive: Effect.asVoid(receiveCustomers(connection, records)) }
    }
    case "orders": {
      const { gone, records, unreadable } = yield* platform.read(access, kind, ids)
      const outcome = toReadOutcome(kind, records, gone, unreadable)
      return { gone, outcome, receive: Effect.asVoid(receiveOrders(connection, records)) }
    }
    case "products": {
      const { gone, records, unreadable } = yield* platform.read(access, kind, ids)
      const outcome = toReadOutcome(kind, records, gone, unreadable)
      return { gone, outcome, receive: Effect.asVoid(receiveProducts(connection, records)) }
    }
  }
})

/**
 * Reads stale records. Stores the found records and drops their stale records in one commit, so no change is lost. A record without an answer of the
 * shop keeps its known state.
 */
const readStaleBatch = Effect.fnUntraced(function* (
  lease: LaneLease,
  id: StoreConnectionId,
  kind: StaleRecordKind,
  marks: ReadonlyArray<StaleRecord>
) {
  const { gone, outcome, readerVersion, receive } = yield* withShop(id, (shop) =>
    Effect.map(
      read(
        shop,
        kind,
        marks.map(({ externalId }) => externalId)
      ),
      (found) => ({ ...found, readerVersion: shop.platform.readerVersion })
    )
  )
  yield* Effect.gen(function* () {
    yield* receive
    yield* deleteRecords({ id }, kind, gone)
    yield* recordSkipped(id, readerVersion, outcome)
    yield* (yield* StaleRecords).drop(marks)
    yield* (yield* LaneQueue).hold(lease)
  }).pipe(transact)
})

/** Reads all records that the shop reported as changed. Returns whether it called the shop. */
export const refreshStaleRecords = Effect.fnUntraced(function* (lease: LaneLease, id: StoreConnectionId) {
  const port = yield* StaleRecords
  let hasAsked = false
  for (const kind of staleRecordKinds) {
    for (;;) {
      const marks = yield* port.oldest(id, kind, readBatchSize)
      if (marks.length > 0) {
        yield* readStaleBatch(lease, id, kind, marks)
        hasAsked = true
      }
      if (marks.length < readBatchSize) break
    }
  }
  return hasAsked
})

const hour = Duration.hours(1)

const hourOf = (at: DateTime.Utc) => Math.floor(DateTime.toEpochMillis(at) / Duration.toMillis(hour))

/** Renews the webhook subscription once an hour, because the shop can have stopped its deliveries. */
const renewSubscription = (id: StoreConnectionId) =>
  withShop(
    id,
    Effect.fnUntraced(function* ({ access, connection, platform }) {
      const { publicUrl } = yield* StoreSettings
      yield* platform.subscribe(access, `${publicUrl}${storeWebhookPath(connection.provider)}`)
    })
  )

/** Reads the changes of a shop since the last complete pass. Stale records are read first, between the pages. */
export const pollChanges = Effect.fnUntraced(function* (lease: LaneLease, { id }: StoreConnection, asOf: DateTime.Utc) {
  const begunAt = yield* DateTime.now
  let isFull = false
  for (const kind of recordKinds) {
    let checkpoint: string | null = null
    do {
      yield* refreshStaleRecords(lease, id)
      const page = yield* withShop(id, (shop) => readPage(shop, kind, pollOverlap(asOf), checkpoint))
      const received = yield* Effect.gen(function* () {
        const taken = yield* page.receive
        yield* (yield* LaneQueue).hold(lease)
        return taken
      }).pipe(transact)
      isFull ||= received.isFull
      checkpoint = page.checkpoint
    } while (checkpoint !== null)
  }
  if (hourOf(begunAt) !== hourOf(asOf)) yield* renewSubscription(id)
  yield* withStoreLock(
    id,
    Effect.fnUntraced(function* ({ lastError }, now) {
      yield* (yield* StoreConnections).keepProgress(id, {
        asOf: begunAt,
        lastSyncedAt: now,
        lastError: isFull
          ? { code: "contacts_limit", reason: "The contact limit of the plan is reached.", at: now }
          : clearTransientError(lastError),
        retry: null
      })
      yield* (yield* LaneQueue).hold(lease)
    })
  )
})
