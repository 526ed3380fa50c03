import { DateTime, Effect } from "effect"
import { transact } from "../../kernel/index.ts"
import { type LaneLease, LaneQueue } from "../../platform/background/index.ts"
import type { StoreConnectionId } from "../Ids.ts"
import { SkippedRecord, SkippedRecords } from "../SkippedRecords.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import { requireStorePlatform, type RecordKind, type UnreadableRecord } from "../StorePlatform.ts"
import { deleteRecords } from "../receiving/deleteRecords.ts"
import { deleteCart, receiveCarts } from "../receiving/receiveCarts.ts"
import { receiveCustomers } from "../receiving/receiveCustomers.ts"
import { receiveOrders } from "../receiving/receiveOrders.ts"
import { receiveProducts } from "../receiving/receiveProducts.ts"
import { type OpenShop, withShop } from "../shopAccess.ts"

/** Maximum number of listed records of a store. It protects the database from a completely unreadable shop. */
const maxSkippedRecords = 10_000

/** Maximum number of ids in one read. */
const readBatchSize = 50

/** Result of reading records of a kind. */
interface ReadOutcome {
  readonly kind: RecordKind
  /** Ids of records that were read, or that the shop has deleted. */
  readonly settled: ReadonlyArray<string>
  readonly unreadable: ReadonlyArray<UnreadableRecord>
}

/** Adds unreadable records to the list, and removes settled ones. */
export const recordSkipped = Effect.fnUntraced(function* (
  storeConnectionId: StoreConnectionId,
  readerVersion: string,
  { kind, settled, unreadable }: ReadOutcome
) {
  const skipped = yield* SkippedRecords
  const now = yield* DateTime.now
  if (settled.length > 0) {
    yield* skipped.remove(
      storeConnectionId,
      settled.map((externalId) => ({ kind, externalId }))
    )
  }
  if (unreadable.length === 0) return
  yield* Effect.logWarning("A store has records that cannot be read.", { storeConnectionId, kind, unreadable })
  const latest = new Map(unreadable.map((each) => [each.externalId, each]))
  yield* skipped.put(
    [...latest.values()].map(({ externalId, reason }) => ({
      storeConnectionId,
      readerVersion,
      record: new SkippedRecord({ kind, externalId, reason, createdAt: now, updatedAt: now })
    })),
    maxSkippedRecords
  )
}, transact)

/** Reads records by their ids. The caller specifies how found records are applied. */
const read = Effect.fnUntraced(function* (
  { access, connection, platform }: OpenShop,
  kind: RecordKind,
  ids: ReadonlyArray<string>
) {
  switch (kind) {
    case "products": {
      const found = yield* platform.read(access, kind, ids)
      return { ...found, receive: Effect.asVoid(receiveProducts(connection, found.records)) }
    }
    case "customers": {
      const found = yield* platform.read(access, kind, ids)
      return { ...found, receive: Effect.asVoid(receiveCustomers(connection, found.records)) }
    }
    case "orders": {
      const found = yield* platform.read(access, kind, ids)
      return { ...found, receive: Effect.asVoid(receiveOrders(connection, found.records)) }
    }
    case "carts": {
      const found = yield* platform.read(access, kind, ids)
      return { ...found, receive: Effect.asVoid(receiveCarts(connection, found.records)) }
    }
  }
})

const deleteGone = Effect.fnUntraced(function* (id: StoreConnectionId, kind: RecordKind, gone: ReadonlyArray<string>) {
  if (kind !== "carts") return yield* deleteRecords({ id }, kind, gone)
  yield* Effect.forEach(gone, (externalId) => deleteCart({ id }, externalId), { discard: true })
})

/** Reads the records again that another version of the reader skipped. Returns whether it called the shop. */
export const retrySkipped = Effect.fnUntraced(function* (lease: LaneLease, connection: StoreConnection) {
  const { id } = connection
  const { readerVersion } = yield* requireStorePlatform(connection)
  const skipped = yield* SkippedRecords
  let hasAsked = false
  for (;;) {
    const [first, ...others] = yield* skipped.outdated(id, readerVersion, readBatchSize)
    if (first === undefined) return hasAsked
    const { kind } = first.record
    const rows = [first, ...others.filter(({ record }) => record.kind === kind)]
    const ids = rows.map(({ record }) => record.externalId)
    const { gone, receive, records, unreadable } = yield* withShop(id, (shop) => read(shop, kind, ids))
    hasAsked = true
    const settled = [...records.map(({ externalId }) => externalId), ...gone]
    const answered = new Set([...settled, ...unreadable.map(({ externalId }) => externalId)])
    yield* Effect.gen(function* () {
      yield* receive
      yield* deleteGone(id, kind, gone)
      yield* recordSkipped(id, readerVersion, { kind, settled, unreadable })
      // The shop did not return the other records. They stay in the list, and this version does not request them again.
      yield* skipped.put(
        rows.flatMap((row) => (answered.has(row.record.externalId) ? [] : [{ ...row, readerVersion }])),
        maxSkippedRecords
      )
      yield* (yield* LaneQueue).hold(lease)
    }).pipe(transact)
  }
})
