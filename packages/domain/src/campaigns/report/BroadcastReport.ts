import { Context, type Effect, Schema } from "effect"
import { Money, type TenantScoped, Timestamp, type Transaction } from "../../kernel/index.ts"
import { MessageCost } from "../../messaging/inbox/index.ts"
import { VariantKey } from "../Broadcast.ts"
import { BroadcastId } from "../Ids.ts"

/** Contacts per stage. */
export const Funnel = Schema.Struct({
  matched: Schema.Int,
  excluded: Schema.Int,
  heldOut: Schema.Int,
  attempted: Schema.Int.annotateKey({ description: "Accepted, failed and in doubt." }),
  accepted: Schema.Int.annotateKey({
    description: "Messages that the provider accepted, delivered or not, read or not."
  }),
  failed: Schema.Int,
  inDoubt: Schema.Int,
  delivered: Schema.Int.annotateKey({ description: "Read or not." }),
  read: Schema.Int,
  replied: Schema.Int,
  optedOut: Schema.Int,
  neverSent: Schema.Int
}).annotate({ identifier: "BroadcastFunnel" })
export type Funnel = typeof Funnel.Type

const Counts = Schema.Record(Schema.String, Schema.Int)

const parts = {
  funnel: Funnel,
  excluded: Counts.annotateKey({ description: "Number of excluded contacts by reason." }),
  failures: Counts.annotateKey({ description: "Number of failed recipients by error code." }),
  taps: Counts.annotateKey({ description: "Number of taps by button text." })
}

const creditParts = {
  attributedOrders: Schema.Int.annotateKey({
    description: "Orders whose last touch was a read or answered message of this broadcast, within `attributionHours`."
  }),
  attributed: Schema.Array(Money).annotateKey({
    description: "Net amount of these orders per currency, without refunds."
  })
}

const Interval = Schema.Array(Schema.Finite).check(
  Schema.isBetweenLength(2, 2, { message: "Expected the lower and the upper bound" })
)
const Share = Schema.Struct({ assigned: Schema.Int, converted: Schema.Int })

const upliftParts = {
  uplift: Schema.NullOr(
    Schema.Struct({
      value: Schema.Finite,
      treated: Share,
      heldOut: Share,
      difference: Interval,
      significant: Schema.Boolean
    })
  ).annotateKey({
    description:
      "Effect of the broadcast on the share of buyers, compared with the held-out contacts; null if `upliftReason` names a reason."
  }),
  upliftReason: Schema.NullOr(
    Schema.Literals(["no_hold_out", "no_store", "window_open", "stopped", "too_few"])
  ).annotateKey({ description: "Reason for a missing uplift." })
}

/** Results of a broadcast. */
export const BroadcastReport = Schema.Struct({
  broadcastId: BroadcastId,
  asOf: Timestamp,
  ...parts,
  ...creditParts,
  costs: MessageCost.annotateKey({
    description:
      "Costs of the delivered messages by the current rate cards, in the organization's currency. They also stay after the recipients are deleted."
  }),
  variants: Schema.NullOr(
    Schema.Array(Schema.Struct({ key: VariantKey, ...parts, ...creditParts, costs: MessageCost, ...upliftParts }))
  ).annotateKey({
    description:
      "Results of each variant; null without variants. The contact of an order determines its variant, so orders of erased contacts and of removed stores count in the total only. After the recipients are deleted, `costs` of a variant stay as they were then."
  }),
  clicks: Schema.Null.annotateKey({ description: "The provider does not report it." }),
  ...upliftParts
}).annotate({ identifier: "BroadcastReport" })
export type BroadcastReport = typeof BroadcastReport.Type

/** Stored reports of broadcasts whose recipients are deleted. */
export class BroadcastReports extends Context.Service<
  BroadcastReports,
  TenantScoped<{
    /** Returns `null` while the recipients exist and can be counted. */
    readonly find: (id: BroadcastId) => Effect.Effect<BroadcastReport | null>
    /** Stores a report. An existing report does not change. */
    readonly keep: (report: BroadcastReport) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/campaigns/BroadcastReports") {}
