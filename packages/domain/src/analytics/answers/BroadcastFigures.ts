import { Schema } from "effect"
import { BroadcastId, BroadcastStatus } from "../../campaigns/index.ts"
import { Money, Page, Timestamp } from "../../kernel/index.ts"
import { answeredRange } from "./AnalyticsMeta.ts"
import { Rate } from "./Figures.ts"

/** What came of a broadcast. */
export const BroadcastRow = Schema.Struct({
  id: BroadcastId,
  name: Schema.String,
  status: BroadcastStatus,
  startedAt: Timestamp,
  matched: Schema.Int,
  failed: Schema.Int,
  inDoubt: Schema.Int,
  optedOut: Schema.Int,
  sent: Schema.Int,
  delivered: Schema.Int,
  read: Schema.Int,
  replied: Schema.Int,
  deliveredRate: Rate,
  readRate: Rate,
  repliedRate: Rate,
  attributedOrders: Schema.Int,
  /** One amount for each currency. */
  attributed: Schema.Array(Money)
}).annotate({ identifier: "BroadcastRow" })
export type BroadcastRow = typeof BroadcastRow.Type

/** The broadcasts that started in a range, newest first. */
export const BroadcastFigures = Schema.Struct({ ...answeredRange, ...Page(BroadcastRow).fields }).annotate({
  identifier: "AnalyticsBroadcasts"
})
export type BroadcastFigures = typeof BroadcastFigures.Type
