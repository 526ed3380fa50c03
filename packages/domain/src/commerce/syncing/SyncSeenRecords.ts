import { Context, type DateTime, Effect, Schema } from "effect"
import type { TenantScoped, Transaction } from "../../kernel/index.ts"
import type { JobId } from "../../platform/jobs/index.ts"
import type { StoreConnectionId } from "../Ids.ts"
import type { StaleRecordKind } from "../Shop.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import { markStale } from "../StaleRecords.ts"

/** Which records a sync looks for. */
export interface SyncTarget {
  /** The sync: what another one has seen does not count. */
  readonly jobId: JobId
  readonly storeConnectionId: StoreConnectionId
  readonly kind: StaleRecordKind
}

/** What a look at some of the records that are kept has found. */
export interface UnseenRecords {
  /** Those that the sync has not seen, by the shop's ids. */
  readonly externalIds: ReadonlyArray<string>
  /** The last one that was looked at; `null` where there were no more. */
  readonly last: string | null
}

/** What a sync of everything has seen of a store: what is kept and was not seen may be gone there. */
export class SyncSeenRecords extends Context.Service<
  SyncSeenRecords,
  TenantScoped<{
    /** Keeps that the sync has seen these. */
    readonly see: (sought: SyncTarget, externalIds: ReadonlyArray<string>) => Effect.Effect<void, never, Transaction>
    /** Whether any record is kept that stands and has not changed here since then. */
    readonly isAnyKept: (
      storeConnectionId: StoreConnectionId,
      kind: StaleRecordKind,
      before: DateTime.Utc
    ) => Effect.Effect<boolean>
    /**
     * Looks at the next `limit` kept records after that one, in the order of the shop's ids. Those that are gone already are not among what was not seen, nor are those
     * that have changed here since `before`.
     */
    readonly unseen: (
      sought: SyncTarget,
      before: DateTime.Utc,
      after: string | null,
      limit: number
    ) => Effect.Effect<UnseenRecords>
    /** Forgets what any sync has seen of the store, at most `limit` records; says of how many. */
    readonly forget: (storeConnectionId: StoreConnectionId, limit: number) => Effect.Effect<number, never, Transaction>
  }>
>()("@parley/domain/commerce/SyncSeenRecords") {}

/** How many records a step looks at, or forgets that they were seen. */
const batchSize = 2_000

/** The kinds of records that are looked for. Carts end by themselves. */
export const TrackedKind = Schema.Literals(["products", "customers", "orders"])
export type TrackedKind = typeof TrackedKind.Type

/** Where looking for what is missing goes on: in a kind, or in forgetting what was seen. */
export const MissingSearch = Schema.Struct({
  kind: Schema.NullOr(TrackedKind),
  /** The last record that was looked at. */
  after: Schema.NullOr(Schema.String)
})
export type MissingSearch = typeof MissingSearch.Type

/** A sync of everything. */
interface FullSync {
  readonly jobId: JobId
  readonly storeConnectionId: StoreConnectionId
  readonly begunAt: DateTime.Utc
}

/** A shop tells whether an order is gone, and lists the old ones, only where all of them may be read. */
const canReportDeletions = (
  kind: TrackedKind,
  { ordersSince, scopes }: Pick<StoreConnection, "ordersSince" | "scopes">
) => kind !== "orders" || (ordersSince === null && scopes.includes("read_all_orders"))

/** Whether records of a kind can be missing at all: the first import, which finds nothing here, has no need to keep what it sees. */
export const canHaveMissingRecords = Effect.fnUntraced(function* (
  kind: TrackedKind,
  { begunAt, storeConnectionId }: FullSync,
  connection: Pick<StoreConnection, "ordersSince" | "scopes">
) {
  if (!canReportDeletions(kind, connection)) return false
  return yield* (yield* SyncSeenRecords).isAnyKept(storeConnectionId, kind, begunAt)
})

/** Keeps that the sync has seen these records. */
export const recordSeen = Effect.fnUntraced(function* (
  { jobId, storeConnectionId }: FullSync,
  kind: TrackedKind,
  externalIds: ReadonlyArray<string>
) {
  yield* (yield* SyncSeenRecords).see({ jobId, storeConnectionId, kind }, externalIds)
})

/** What follows in looking for what is missing once these kinds are left. */
export const startMissingSearch = ([kind]: ReadonlyArray<TrackedKind>): MissingSearch => ({
  kind: kind ?? null,
  after: null
})

/**
 * A step of finding what is kept and was not seen. It is marked, so that the shop is asked for just that: only its word that a record is gone is taken for
 * it. In the end what was seen is forgotten; `null` when nothing is left to do.
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
