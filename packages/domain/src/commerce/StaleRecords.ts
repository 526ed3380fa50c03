import { Context, DateTime, Effect, Schema } from "effect"
import { nextId, type TenantScoped, transact, type Transaction, Uuid } from "../kernel/index.ts"
import type { StoreConnectionId } from "./Ids.ts"
import type { StaleRecordKind } from "./Shop.ts"
import { scheduleStoreLane } from "./StoreConnections.ts"

export const StaleRecordId = Uuid.pipe(Schema.brand("StoreMarkId"))
export type StaleRecordId = typeof StaleRecordId.Type

/** A record that the shop has changed and Parley has not read again yet. */
export interface StaleRecord {
  /** A new id for each report of a change. */
  readonly id: StaleRecordId
  readonly storeConnectionId: StoreConnectionId
  readonly kind: StaleRecordKind
  readonly externalId: string
  readonly toldAt: DateTime.Utc
}

/** Time of the oldest unread change of a store. */
export interface OldestStaleRecord {
  readonly storeConnectionId: StoreConnectionId
  readonly toldAt: DateTime.Utc
}

/** Stale records of the organization's stores. A record is stored once, independent of the number of reports. */
export class StaleRecords extends Context.Service<
  StaleRecords,
  TenantScoped<{
    /** Marks records as stale. A record that is already stale gets the new id and keeps its time. */
    readonly mark: (marks: ReadonlyArray<StaleRecord>) => Effect.Effect<void, never, Transaction>
    /** The oldest stale records of a kind, at most `limit`. */
    readonly oldest: (
      storeConnectionId: StoreConnectionId,
      kind: StaleRecordKind,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StaleRecord>>
    /** Deletes the given stale records, unless they were reported again after the read. */
    readonly drop: (marks: ReadonlyArray<StaleRecord>) => Effect.Effect<void, never, Transaction>
    /** Oldest stale record of each of these stores, unordered. Stores without stale records are missing. */
    readonly oldestOf: (
      storeConnectionIds: ReadonlyArray<StoreConnectionId>
    ) => Effect.Effect<ReadonlyArray<OldestStaleRecord>>
  }>
>()("@parley/domain/commerce/StaleRecords") {}

/** A record with a reported change. */
export interface ChangedRecord {
  readonly kind: StaleRecordKind
  readonly externalId: string
}

/** Marks changed records of a shop as stale, so that each is read once, independent of the number of reports. */
export const markStale = Effect.fnUntraced(function* (
  storeConnectionId: StoreConnectionId,
  records: ReadonlyArray<ChangedRecord>
) {
  if (records.length === 0) return
  const toldAt = yield* DateTime.now
  const marks = yield* Effect.forEach(records, ({ externalId, kind }) =>
    Effect.map(nextId(StaleRecordId), (id) => ({ id, storeConnectionId, kind, externalId, toldAt }))
  )
  yield* (yield* StaleRecords).mark(marks)
  yield* scheduleStoreLane(storeConnectionId, toldAt)
}, transact)
