import { Schema } from "effect"

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
