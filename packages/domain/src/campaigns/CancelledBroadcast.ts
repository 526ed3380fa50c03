import { Schema } from "effect"
import type { Broadcast } from "./Broadcast.ts"
import { BroadcastId } from "./Ids.ts"
import { BroadcastStatus } from "./transitions.ts"

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
export const cancelledCounts = ({ id, stats, status }: Broadcast): CancelledBroadcast => {
  const { delivered, excluded, failed, heldOut, inDoubt, inFlight, matched, neverSent, read, sent } = stats
  return { id, status, matched, sent: sent + delivered + read, inFlight, inDoubt, failed, excluded, heldOut, neverSent }
}
