import { type DateTime, Effect, Schema } from "effect"
import type { JobId } from "../../platform/jobs/index.ts"
import type { StoreConnectionId } from "../Ids.ts"
import { markChanged } from "../receiving/markChanged.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import { StoreSightings } from "../StoreSightings.ts"

/** How many records a step looks at, or forgets that they were seen. */
const stride = 2_000

/** The kinds of records that are looked for. Carts end by themselves. */
export const SeenKind = Schema.Literals(["products", "customers", "orders"])
export type SeenKind = typeof SeenKind.Type

/** Where looking for what is missing goes on: in a kind, or in forgetting what was seen. */
export const Closing = Schema.Struct({
  kind: Schema.NullOr(SeenKind),
  /** The last record that was looked at. */
  after: Schema.NullOr(Schema.String)
})
export type Closing = typeof Closing.Type

/** A sync of everything. */
interface FullSync {
  readonly jobId: JobId
  readonly storeConnectionId: StoreConnectionId
  readonly begunAt: DateTime.Utc
}

/** A shop tells whether an order is gone, and lists the old ones, only where all of them may be read. */
const tellsAll = (kind: SeenKind, { ordersSince, scopes }: Pick<StoreConnection, "ordersSince" | "scopes">) =>
  kind !== "orders" || (ordersSince === null && scopes.includes("read_all_orders"))

/** Whether records of a kind can be missing at all: the first import, which finds nothing here, has no need to keep what it sees. */
export const canMiss = Effect.fnUntraced(function* (
  kind: SeenKind,
  { begunAt, storeConnectionId }: FullSync,
  connection: Pick<StoreConnection, "ordersSince" | "scopes">
) {
  if (!tellsAll(kind, connection)) return false
  return yield* (yield* StoreSightings).isAnyKept(storeConnectionId, kind, begunAt)
})

/** Keeps that the sync has seen these records. */
export const see = Effect.fnUntraced(function* (
  { jobId, storeConnectionId }: FullSync,
  kind: SeenKind,
  externalIds: ReadonlyArray<string>
) {
  yield* (yield* StoreSightings).see({ jobId, storeConnectionId, kind }, externalIds)
})

/** What follows in looking for what is missing once these kinds are left. */
export const closingOf = ([kind]: ReadonlyArray<SeenKind>): Closing => ({ kind: kind ?? null, after: null })

/**
 * A step of finding what is kept and was not seen. It is marked, so that the shop is asked for just that: only its word that a record is gone is taken for
 * it. In the end what was seen is forgotten; `null` when nothing is left to do.
 */
export const closeSome = Effect.fnUntraced(function* (
  sync: FullSync,
  seen: ReadonlyArray<SeenKind>,
  { after, kind }: Closing
) {
  const { begunAt, jobId, storeConnectionId } = sync
  const sightings = yield* StoreSightings
  if (kind === null) {
    const forgotten = yield* sightings.forget(storeConnectionId, stride)
    return forgotten === 0 ? null : closingOf([])
  }
  const { externalIds, last } = yield* sightings.unseen({ jobId, storeConnectionId, kind }, begunAt, after, stride)
  yield* markChanged(
    storeConnectionId,
    externalIds.map((externalId) => ({ kind, externalId }))
  )
  const next: Closing = last === null ? closingOf(seen.slice(seen.indexOf(kind) + 1)) : { kind, after: last }
  return next
})
