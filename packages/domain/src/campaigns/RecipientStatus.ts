import { Schema } from "effect"
import { BroadcastId } from "./Ids.ts"

/**
 * Status of a recipient. `in_doubt`: the answer of the provider was lost, and only a receipt resolves it. `never_sent`: the broadcast ended before
 * the recipient was due.
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

/** Allowed next statuses. Receipts move recipients in doubt, sent and failed, at any later time. */
export const recipientTransitions: Readonly<Record<RecipientStatus, ReadonlyArray<RecipientStatus>>> = {
  pending: ["in_flight", "excluded", "never_sent"],
  in_flight: ["sent", "failed", "in_doubt", "pending", "never_sent"],
  in_doubt: ["sent", "delivered", "read", "failed"],
  sent: ["delivered", "read", "failed"],
  delivered: ["read"],
  read: [],
  // A late delivery receipt overrides a failure.
  failed: ["delivered", "read"],
  excluded: [],
  held_out: [],
  never_sent: []
}

/** Whether the provider is known to have accepted the message. */
export const isAccepted = (status: RecipientStatus): boolean =>
  status === "sent" || status === "delivered" || status === "read"

/** Reason why a contact of the audience gets nothing. The first reason in this order applies. */
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

/** Contacts of the audience per status. `matched` always equals the sum of the ten others; it increases until the audience is frozen. */
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

/** Counts before the start. */
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

/** Counter of each recipient status. */
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

/** Statuses without a confirmed message. */
export const RetriedStatus = Schema.Literals(["failed", "never_sent", "in_doubt"])
export type RetriedStatus = typeof RetriedStatus.Type

/** Statuses of the recipients to retry. */
export const RetriedStatuses = Schema.Array(RetriedStatus).check(
  Schema.isBetweenLength(1, 3, { message: "Expected 1 to 3 statuses" }),
  Schema.isUnique({ message: "Expected each status once" })
)

/** Error code in reports. */
export const RetriedCode = Schema.String.check(
  Schema.isPattern(/^[a-z0-9_]{1,64}$/u, { message: "Expected the code of an error, such as recipient_unreachable" })
)

/** Error codes of the failed recipients to retry. */
export const RetriedCodes = Schema.Array(RetriedCode).check(
  Schema.isBetweenLength(1, 50, { message: "Expected 1 to 50 codes" })
)

/** Selection of a retry: recipients of another broadcast with these statuses when the retry starts. */
export const BroadcastRetry = Schema.Struct({
  broadcastId: BroadcastId,
  statuses: RetriedStatuses,
  /** `null` matches all. */
  codes: Schema.NullOr(RetriedCodes)
}).annotate({ identifier: "BroadcastRetry" })
export type BroadcastRetry = typeof BroadcastRetry.Type
