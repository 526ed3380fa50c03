import { Context, type DateTime, type Effect, Schema } from "effect"
import { type Slice, type TenantScoped, Timestamp, type Transaction } from "../kernel/index.ts"
import type { StoreConnectionId } from "./Ids.ts"
import type { RecordKind } from "./StorePlatform.ts"

/** A record of a shop that could not be read. */
export class SkippedRecord extends Schema.Class<SkippedRecord>("SkippedRecord")({
  kind: Schema.Literals(["products", "customers", "orders", "carts"]),
  /** The id of the shop. */
  externalId: Schema.String,
  reason: Schema.String,
  createdAt: Timestamp,
  updatedAt: Timestamp
}) {}

export interface StoredSkippedRecord {
  readonly storeConnectionId: StoreConnectionId
  readonly record: SkippedRecord
  /** Version of the reader that failed. */
  readonly readerVersion: string
}

export interface SkippedCount {
  readonly storeConnectionId: StoreConnectionId
  readonly count: number
}

export interface SkippedKey {
  readonly kind: RecordKind
  readonly externalId: string
}

/** Records of the shops of the organization that could not be read, once for each kind and id. */
export class SkippedRecords extends Context.Service<
  SkippedRecords,
  TenantScoped<{
    /** Stores records of one store. A known record keeps `createdAt`. At `max` records of the store, new records are dropped. */
    readonly put: (records: ReadonlyArray<StoredSkippedRecord>, max: number) => Effect.Effect<void, never, Transaction>
    readonly remove: (
      storeConnectionId: StoreConnectionId,
      keys: ReadonlyArray<SkippedKey>
    ) => Effect.Effect<void, never, Transaction>
    /** Sorted by kind and id, which form the row key. */
    readonly list: (
      storeConnectionId: StoreConnectionId,
      slice: Slice
    ) => Effect.Effect<ReadonlyArray<StoredSkippedRecord>>
    /** Counts of these stores, unordered. Stores without skipped records are missing. */
    readonly counts: (ids: ReadonlyArray<StoreConnectionId>) => Effect.Effect<ReadonlyArray<SkippedCount>>
    /** Records that another version of the reader skipped, by kind and id. */
    readonly outdated: (
      storeConnectionId: StoreConnectionId,
      readerVersion: string,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoredSkippedRecord>>
    /** Marks records as outdated that were not skipped again since that time. */
    readonly expire: (
      storeConnectionId: StoreConnectionId,
      before: DateTime.Utc
    ) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/commerce/SkippedRecords") {}
