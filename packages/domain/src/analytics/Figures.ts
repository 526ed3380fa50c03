import { Schema } from "effect"
import { Currency, Money } from "../kernel/index.ts"
import { MessageKind } from "../messaging/inbox/index.ts"

/** Counted message kinds: all except `system`. */
export const CountedKind = Schema.Literals(MessageKind.literals.filter((kind) => kind !== "system"))
export type CountedKind = typeof CountedKind.Type

/** Authors of outgoing messages that are counted separately: members, also in the provider's own app, and automated senders. */
export const CountedAuthor = Schema.Literals(["user", "operator", "phone_app", "token", "automation", "broadcast"])
export type CountedAuthor = typeof CountedAuthor.Type

/** Completed durations: their number, median and 90th percentile, in whole seconds. */
export const DurationFigures = Schema.Struct({
  count: Schema.Int,
  medianSeconds: Schema.NullOr(Schema.Int),
  p90Seconds: Schema.NullOr(Schema.Int)
}).annotate({ identifier: "DurationFigures" })
export type DurationFigures = typeof DurationFigures.Type

const structForKeys = <Key extends string, Value extends Schema.Top>(keys: ReadonlyArray<Key>, value: Value) =>
  Schema.Struct(Object.fromEntries(keys.map((key) => [key, value])) as Readonly<Record<Key, Value>>)

/** Fields of the figures, with a schema for their values: a number or a change. */
const figureFields = <
  Count extends Schema.Top,
  Duration extends Schema.Top,
  Rate extends Schema.Top,
  Revenue extends Schema.Top
>(
  count: Count,
  duration: Duration,
  rate: Rate,
  revenue: Revenue
) => {
  const byKind = structForKeys(CountedKind.literals, count)
  return {
    conversations: Schema.Struct({
      opened: count,
      reopened: count,
      resolved: count,
      resolvedByMachine: count,
      open: count,
      waiting: count
    }),
    messages: Schema.Struct({
      inbound: Schema.Struct({ total: count, byKind }),
      outbound: Schema.Struct({ total: count, byKind, byAuthor: structForKeys(CountedAuthor.literals, count) }),
      failed: count
    }),
    firstResponse: duration,
    reply: duration,
    resolution: duration,
    contacts: Schema.Struct({ new: count, imported: count, active: count, unsubscribed: count }),
    broadcasts: Schema.Struct({
      started: count,
      sent: count,
      delivered: count,
      read: count,
      replied: count,
      deliveredRate: rate,
      readRate: rate,
      repliedRate: rate
    }),
    commerce: Schema.Struct({ orders: count, revenue: Schema.Array(revenue) })
  }
}

/** Figures of orders in one currency. */
export const RevenueFigures = Schema.Struct({
  currency: Currency,
  gross: Money,
  refunded: Money,
  net: Money,
  attributedOrders: Schema.Int,
  attributed: Money
}).annotate({ identifier: "RevenueFigures" })
export type RevenueFigures = typeof RevenueFigures.Type

/** Share between 0 and 1, with four decimals; `null` without any events. */
export const Rate = Schema.NullOr(Schema.Finite)

const figures = figureFields(Schema.Int, DurationFigures, Rate, RevenueFigures)

/** Figures of a period. */
export const Figures = Schema.Struct(figures).annotate({ identifier: "AnalyticsFigures" })
export type Figures = typeof Figures.Type

/** Percent with one decimal, relative to the previous value; `null` if that was 0 or absent. */
export const PercentChange = Schema.NullOr(Schema.Finite)

/** Changes of durations. */
export const DurationChange = Schema.Struct({
  count: PercentChange,
  medianSeconds: PercentChange,
  p90Seconds: PercentChange
}).annotate({ identifier: "DurationChange" })

/** Changes of the revenue in one currency. */
export const RevenueChange = Schema.Struct({
  currency: Currency,
  gross: PercentChange,
  refunded: PercentChange,
  net: PercentChange,
  attributedOrders: PercentChange,
  attributed: PercentChange
}).annotate({ identifier: "RevenueChange" })

/** Changes of all figures. */
export const FigureChanges = Schema.Struct(
  figureFields(PercentChange, DurationChange, PercentChange, RevenueChange)
).annotate({
  identifier: "AnalyticsChanges"
})
export type FigureChanges = typeof FigureChanges.Type

/** Figures of a local day. `complete`: the day is over. */
export const dayFigures = { ...figures, complete: Schema.Boolean }
