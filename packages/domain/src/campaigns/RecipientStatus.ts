import { Schema } from "effect"
import { BroadcastId } from "./Ids.ts"

/**
 * Where a recipient of a broadcast is. `in_doubt`: the answer of the provider was lost, and only a receipt tells. `never_sent`: the
 * broadcast ended before its turn came.
 */
export const RecipientStatus = Schema.Literals([
  "pending",
  "in_flight",
  "in_doubt",
  "sent",
  "delivered",
  "read",
  "failed",
  "excluded",
  "held_out",
  "never_sent"
])
export type RecipientStatus = typeof RecipientStatus.Type

/** Where a recipient goes from each status. Receipts move in doubt, sent and failed ones, however late they come. */
export const recipientTransitions: Readonly<Record<RecipientStatus, ReadonlyArray<RecipientStatus>>> = {
  pending: ["in_flight", "excluded", "never_sent"],
  in_flight: ["sent", "failed", "in_doubt", "pending", "never_sent"],
  in_doubt: ["sent", "delivered", "read", "failed"],
  sent: ["delivered", "read", "failed"],
  delivered: ["read"],
  read: [],
  // A delivery that is told late overtakes a failure.
  failed: ["delivered", "read"],
  excluded: [],
  held_out: [],
  never_sent: []
}

/** Whether the provider has taken the message, as far as is known. */
export const isAccepted = (status: RecipientStatus): boolean =>
  status === "sent" || status === "delivered" || status === "read"

/** Why somebody of the audience gets nothing. Of several reasons, the first in this order counts. */
export const ExclusionReason = Schema.Literals([
  "contact_gone",
  "excluded_by_filter",
  "no_identity",
  "not_subscribed",
  "blocked",
  "region_blocked",
  "duplicate",
  "missing_variable",
  "frequency_cap",
  "local_time_passed",
  "plan_limit"
])
export type ExclusionReason = typeof ExclusionReason.Type

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
export const emptyBroadcastStats: BroadcastStats = {
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

/** The statuses in which a message may have got lost. */
export const RetriedStatus = Schema.Literals(["failed", "never_sent", "in_doubt"])
export type RetriedStatus = typeof RetriedStatus.Type

/** What came of the recipients that are tried again. */
export const RetriedStatuses = Schema.Array(RetriedStatus).check(
  Schema.isBetweenLength(1, 3, { message: "Expected 1 to 3 statuses" }),
  Schema.isUnique({ message: "Expected each status once" })
)

/** The code of an error, as reports count by it. */
export const RetriedCode = Schema.String.check(
  Schema.isPattern(/^[a-z0-9_]{1,64}$/u, { message: "Expected the code of an error, such as recipient_unreachable" })
)

/** The errors of those that failed and are tried again. */
export const RetriedCodes = Schema.Array(RetriedCode).check(
  Schema.isBetweenLength(1, 50, { message: "Expected 1 to 50 codes" })
)

/** Whom a broadcast goes to that tries another one again: those of its recipients who stand so when this one starts. */
export const BroadcastRetry = Schema.Struct({
  broadcastId: BroadcastId,
  statuses: RetriedStatuses,
  /** `null` is any. */
  codes: Schema.NullOr(RetriedCodes)
}).annotate({ identifier: "BroadcastRetry" })
export type BroadcastRetry = typeof BroadcastRetry.Type
