import { Schema } from "effect"
import type { RecipientStatus } from "./RecipientStatus.ts"

/**
 * How many contacts of the audience are where. `matched` is the sum of the ten others at any time; it grows until the audience is
 * frozen.
 */
export const BroadcastStats = Schema.Struct({
  matched: Schema.Int,
  pending: Schema.Int,
  inFlight: Schema.Int,
  inDoubt: Schema.Int,
  sent: Schema.Int,
  delivered: Schema.Int,
  read: Schema.Int,
  failed: Schema.Int,
  excluded: Schema.Int,
  heldOut: Schema.Int,
  neverSent: Schema.Int
}).annotate({ identifier: "BroadcastStats" })
export type BroadcastStats = typeof BroadcastStats.Type

/** Of a broadcast that has not begun. */
export const noStats: BroadcastStats = {
  matched: 0,
  pending: 0,
  inFlight: 0,
  inDoubt: 0,
  sent: 0,
  delivered: 0,
  read: 0,
  failed: 0,
  excluded: 0,
  heldOut: 0,
  neverSent: 0
}

/** Which counter counts the recipients of each status. */
export const counterOf: Readonly<Record<RecipientStatus, Exclude<keyof BroadcastStats, "matched">>> = {
  pending: "pending",
  in_flight: "inFlight",
  in_doubt: "inDoubt",
  sent: "sent",
  delivered: "delivered",
  read: "read",
  failed: "failed",
  excluded: "excluded",
  held_out: "heldOut",
  never_sent: "neverSent"
}
