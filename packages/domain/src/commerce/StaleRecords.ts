import { Context, DateTime, Effect, Schema } from "effect"
import { nextId, type TenantScoped, transact, type Transaction, Uuid } from "../kernel/index.ts"
import type { StoreConnectionId } from "./Ids.ts"
import type { StaleRecordKind } from "./Shop.ts"
import { scheduleStoreLane } from "./StoreConnections.ts"

export const StaleRecordId = Uuid.pipe(Schema.brand("StoreMarkId"))
export type StaleRecordId = typeof StaleRecordId.Type

/** A record that a shop has told to be changed, and that is not read again yet. */
export interface StaleRecord {
  /** Another one each time that it is told. */
  readonly id: StaleRecordId
  readonly storeConnectionId: StoreConnectionId
  readonly kind: StaleRecordKind
  readonly externalId: string
  readonly toldAt: DateTime.Utc
}

/** When the oldest change of a store was told that is not read yet. */
export interface OldestStaleRecord {
  readonly storeConnectionId: StoreConnectionId
  readonly toldAt: DateTime.Utc
}

/** What is to be read again of the organization's stores. A record is marked once, however often it is told. */
export class StaleRecords extends Context.Service<
  StaleRecords,
  TenantScoped<{
    /** Marks records. One that is marked already gets the new id, and stays as old as it is. */
    readonly mark: (marks: ReadonlyArray<StaleRecord>) => Effect.Effect<void, never, Transaction>
    /** The oldest of a kind, at most `limit`. */
    readonly oldest: (
      storeConnectionId: StoreConnectionId,
      kind: StaleRecordKind,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StaleRecord>>
    /** Drops those that were not told again since they were read. */
    readonly drop: (marks: ReadonlyArray<StaleRecord>) => Effect.Effect<void, never, Transaction>
    /** The age of what waits in these stores, in no order; a store where nothing waits is not among them. */
    readonly oldestOf: (
      storeConnectionIds: ReadonlyArray<StoreConnectionId>
    ) => Effect.Effect<ReadonlyArray<OldestStaleRecord>>
  }>
>()("@parley/domain/commerce/StaleRecords") {}

/** A record that a shop has told to be changed. */
export interface ChangedRecord {
  readonly kind: StaleRecordKind
  readonly externalId: string
}

/** Has what a shop has told to be changed read again, once, however often it is told. */
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
