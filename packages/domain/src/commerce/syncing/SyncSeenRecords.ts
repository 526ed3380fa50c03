import { Context, type DateTime, Effect, Schema } from "effect"
import type { TenantScoped, Transaction } from "../../kernel/index.ts"
import type { JobId } from "../../platform/jobs/index.ts"
import type { StoreConnectionId } from "../Ids.ts"
import type { StaleRecordKind } from "../Shop.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import { markStale } from "../StaleRecords.ts"

/** Records that a sync searches for. */
export interface SyncTarget {
  /** Id of the sync. Records of other syncs do not count. */
  readonly jobId: JobId
  readonly storeConnectionId: StoreConnectionId
  readonly kind: StaleRecordKind
}

/** Result of one search step over stored records. */
export interface UnseenRecords {
  /** Ids of the shop of the records that the sync has not seen. */
  readonly externalIds: ReadonlyArray<string>
  /** Last record of the step; `null` at the end. */
  readonly last: string | null
}

/** Records that a full sync has seen in a store. Stored records that it has not seen can be deleted in the shop. */
export class SyncSeenRecords extends Context.Service<
  SyncSeenRecords,
  TenantScoped<{
    /** Marks these records as seen by the sync. */
    readonly see: (sought: SyncTarget, externalIds: ReadonlyArray<string>) => Effect.Effect<void, never, Transaction>
    /** Whether a stored record exists that is not deleted and has not changed here since then. */
    readonly isAnyKept: (
      storeConnectionId: StoreConnectionId,
      kind: StaleRecordKind,
      before: DateTime.Utc
    ) => Effect.Effect<boolean>
    /**
     * Reads the next `limit` stored records after the given one, ordered by the ids of the shop. Omits deleted records and records that changed here
     * since `before`.
     */
    readonly unseen: (
      sought: SyncTarget,
      before: DateTime.Utc,
      after: string | null,
      limit: number
    ) => Effect.Effect<UnseenRecords>
    /** Deletes what any sync has seen of the store, at most `limit` records. Returns the number of deleted records. */
    readonly forget: (storeConnectionId: StoreConnectionId, limit: number) => Effect.Effect<number, never, Transaction>
  }>
>()("@parley/domain/commerce/SyncSeenRecords") {}

/** Number of records that a step checks, or whose seen marks it deletes. */
const batchSize = 2_000

/** Kinds of records with a search for missing ones. Carts expire without it. */
export const TrackedKind = Schema.Literals(["products", "customers", "orders"])
export type TrackedKind = typeof TrackedKind.Type

/** Position of the search for missing records: in a kind, or in the deletion of the seen marks. */
export const MissingSearch = Schema.Struct({
  kind: Schema.NullOr(TrackedKind),
  /** Last checked record. */
  after: Schema.NullOr(Schema.String)
})
export type MissingSearch = typeof MissingSearch.Type

/** A sync of all records. */
interface FullSync {
  readonly jobId: JobId
  readonly storeConnectionId: StoreConnectionId
  readonly begunAt: DateTime.Utc
}

/** A shop reports deleted orders and lists old orders only if all orders can be read. */
const canReportDeletions = (
  kind: TrackedKind,
  { ordersSince, scopes }: Pick<StoreConnection, "ordersSince" | "scopes">
) => kind !== "orders" || (ordersSince === null && scopes.includes("read_all_orders"))

/** Whether records of a kind can be missing. A first import finds no stored records, so it does not store what it sees. */
export const canHaveMissingRecords = Effect.fnUntraced(function* (
  kind: TrackedKind,
  { begunAt, storeConnectionId }: FullSync,
  connection: Pick<StoreConnection, "ordersSince" | "scopes">
) {
  if (!canReportDeletions(kind, connection)) return false
  return yield* (yield* SyncSeenRecords).isAnyKept(storeConnectionId, kind, begunAt)
})

/** Stores that the sync has seen these records. */
export const recordSeen = Effect.fnUntraced(function* (
  { jobId, storeConnectionId }: FullSync,
  kind: TrackedKind,
  externalIds: ReadonlyArray<string>
) {
  yield* (yield* SyncSeenRecords).see({ jobId, storeConnectionId, kind }, externalIds)
})

/** Returns the first position of the search for missing records in the remaining kinds. */
export const startMissingSearch = ([kind]: ReadonlyArray<TrackedKind>): MissingSearch => ({
  kind: kind ?? null,
  after: null
})

/**
 * Runs one step of the search for missing records. Unseen records are marked as stale, so the shop is asked about each of them. Only an answer of the
 * shop deletes a record. The last steps delete the seen marks. Returns `null` at the end.
 */
export const closeMissingBatch = Effect.fnUntraced(function* (
  sync: FullSync,
  seen: ReadonlyArray<TrackedKind>,
  { after, kind }: MissingSearch
) {
  const { begunAt, jobId, storeConnectionId } = sync
  const sightings = yield* SyncSeenRecords
  if (kind === null) {
    const forgotten = yield* sightings.forget(storeConnectionId, batchSize)
    return forgotten === 0 ? null : startMissingSearch([])
  }
  const { externalIds, last } = yield* sightings.unseen({ jobId, storeConnectionId, kind }, begunAt, after, batchSize)
  yield* markStale(
    storeConnectionId,
    externalIds.map((externalId) => ({ kind, externalId }))
  )
  const next: MissingSearch =
    last === null ? startMissingSearch(seen.slice(seen.indexOf(kind) + 1)) : { kind, after: last }
  return next
})
