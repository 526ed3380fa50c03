import { Schema } from "effect"
import { BroadcastId } from "./Ids.ts"

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
