import { Context, type DateTime, type Effect, Schema } from "effect"
import type { NotFound, Slice, TenantScoped, Transaction, VersionConflict } from "../kernel/index.ts"
import type { ChatAccountId } from "../messaging/chat/index.ts"
import type { Broadcast } from "./Broadcast.ts"
import { BroadcastId } from "./Ids.ts"
import { BroadcastStatus } from "./broadcastTransitions.ts"

/** Which broadcasts to list; `null` is any. A range includes its `from`, not its `to`. */
export interface BroadcastQuery {
  readonly status: BroadcastStatus | null
  readonly chatAccountId: ChatAccountId | null
  /** A part of its name, whatever its case and accents. */
  readonly q: string | null
  readonly createdFrom: DateTime.Utc | null
  readonly createdTo: DateTime.Utc | null
}

/** The broadcasts of the organization. What is stored of one does not hold its statistics: those are counted with its recipients. */
export class Broadcasts extends Context.Service<
  Broadcasts,
  TenantScoped<{
    readonly get: (id: BroadcastId) => Effect.Effect<Broadcast, NotFound>
    /** Which of these there are. */
    readonly known: (ids: ReadonlyArray<BroadcastId>) => Effect.Effect<ReadonlyArray<BroadcastId>>
    /** Newest first; the key of a row is its id. */
    readonly list: (query: BroadcastQuery, slice: Slice) => Effect.Effect<ReadonlyArray<Broadcast>>
    /** As `get`; nobody else changes it or moves it to another status until the unit of work ends. */
    readonly lock: (id: BroadcastId) => Effect.Effect<Broadcast, NotFound, Transaction>
    readonly insert: (broadcast: Broadcast) => Effect.Effect<void, never, Transaction>
    /** Stores it, but not its statistics, with its version raised by one, if the stored version is still the expected one (`null`: whatever it is). */
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

/** What has become of everybody in a broadcast that was cancelled. */
export const CancelledBroadcast = Schema.Struct({
  id: BroadcastId,
  status: BroadcastStatus,
  matched: Schema.Int,
  sent: Schema.Int.annotateKey({ description: "What the provider has taken, delivered and read or not." }),
  inFlight: Schema.Int,
  inDoubt: Schema.Int,
  failed: Schema.Int,
  excluded: Schema.Int,
  heldOut: Schema.Int,
  neverSent: Schema.Int
}).annotate({ identifier: "CancelledBroadcast" })
export type CancelledBroadcast = typeof CancelledBroadcast.Type

/** The counts of a broadcast when it was cancelled. */
export const toCancelledBroadcast = ({ id, stats, status }: Broadcast): CancelledBroadcast => {
  const { delivered, excluded, failed, heldOut, inDoubt, inFlight, matched, neverSent, read, sent } = stats
  return { id, status, matched, sent: sent + delivered + read, inFlight, inDoubt, failed, excluded, heldOut, neverSent }
}
