import { Context, type DateTime, type Effect, Schema } from "effect"
import type { NotFound, Slice, TenantScoped, Transaction, VersionConflict } from "../kernel/index.ts"
import type { ChatAccountId } from "../messaging/chat/index.ts"
import type { Broadcast } from "./Broadcast.ts"
import { BroadcastId } from "./Ids.ts"
import { BroadcastStatus } from "./broadcastTransitions.ts"

/** Filters of a broadcast list; `null` matches all. A range includes `from` and excludes `to`. */
export interface BroadcastQuery {
  readonly status: BroadcastStatus | null
  readonly chatAccountId: ChatAccountId | null
  /** Part of the name, without regard to case and accents. */
  readonly q: string | null
  readonly createdFrom: DateTime.Utc | null
  readonly createdTo: DateTime.Utc | null
}

/** Broadcasts of the organization. Statistics are not stored here; they are counted with the recipients. */
export class Broadcasts extends Context.Service<
  Broadcasts,
  TenantScoped<{
    readonly get: (id: BroadcastId) => Effect.Effect<Broadcast, NotFound>
    /** Returns the existing ids among these. */
    readonly known: (ids: ReadonlyArray<BroadcastId>) => Effect.Effect<ReadonlyArray<BroadcastId>>
    /** Newest first; the key of a row is its id. */
    readonly list: (query: BroadcastQuery, slice: Slice) => Effect.Effect<ReadonlyArray<Broadcast>>
    /** Like `get`, with a lock on changes and transitions until the unit of work ends. */
    readonly lock: (id: BroadcastId) => Effect.Effect<Broadcast, NotFound, Transaction>
    readonly insert: (broadcast: Broadcast) => Effect.Effect<void, never, Transaction>
    /** Stores the broadcast without its statistics, with the next version, if the stored version is the expected one (`null`: any version). */
    readonly save: (
      broadcast: Broadcast,
      expected: number | null
    ) => Effect.Effect<Broadcast, NotFound | VersionConflict, Transaction>
    readonly remove: (
      id: BroadcastId,
      expected: number | null
    ) => Effect.Effect<void, NotFound | VersionConflict, Transaction>
  }>
>()("@parley/domain/campaigns/Broadcasts") {}

/** Counts of recipients at the cancellation. */
export const CancelledBroadcast = Schema.Struct({
  id: BroadcastId,
  status: BroadcastStatus,
  matched: Schema.Int,
  sent: Schema.Int.annotateKey({ description: "Messages that the provider accepted, delivered or not, read or not." }),
  inFlight: Schema.Int,
  inDoubt: Schema.Int,
  failed: Schema.Int,
  excluded: Schema.Int,
  heldOut: Schema.Int,
  neverSent: Schema.Int
}).annotate({ identifier: "CancelledBroadcast" })
export type CancelledBroadcast = typeof CancelledBroadcast.Type

/** Returns the counts of a broadcast at its cancellation. */
export const toCancelledBroadcast = ({ id, stats, status }: Broadcast): CancelledBroadcast => {
  const { delivered, excluded, failed, heldOut, inDoubt, inFlight, matched, neverSent, read, sent } = stats
  return { id, status, matched, sent: sent + delivered + read, inFlight, inDoubt, failed, excluded, heldOut, neverSent }
}
