import { Schema } from "effect"
import { Currency, Money } from "../kernel/index.ts"
import { MessageKind } from "../messaging/inbox/index.ts"

/** The kinds of messages that are counted: all but `system`. */
export const CountedKind = Schema.Literals(MessageKind.literals.filter((kind) => kind !== "system"))
export type CountedKind = typeof CountedKind.Type

/** Whose outgoing messages are counted apart: those of people (also in the provider's own app), and of machines. */
export const CountedAuthor = Schema.Literals(["user", "operator", "phone_app", "token", "automation", "broadcast"])
export type CountedAuthor = typeof CountedAuthor.Type

/** Durations that ended: how many, and the middle and the slowest tenth of them, in whole seconds. */
export const DurationFigures = Schema.Struct({
  count: Schema.Int,
  medianSeconds: Schema.NullOr(Schema.Int),
  p90Seconds: Schema.NullOr(Schema.Int)
}).annotate({ identifier: "DurationFigures" })
export type DurationFigures = typeof DurationFigures.Type

const structForKeys = <Key extends string, Value extends Schema.Top>(keys: ReadonlyArray<Key>, value: Value) =>
  Schema.Struct(Object.fromEntries(keys.map((key) => [key, value])) as Readonly<Record<Key, Value>>)

/** The parts of the figures, with what each value is: a number, or how much it changed. */
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

/** What orders of one currency come to. */
export const RevenueFigures = Schema.Struct({
  currency: Currency,
  gross: Money,
  refunded: Money,
  net: Money,
  attributedOrders: Schema.Int,
  attributed: Money
}).annotate({ identifier: "RevenueFigures" })
export type RevenueFigures = typeof RevenueFigures.Type

/** A share between 0 and 1, to four decimals; `null` where nothing happened. */
export const Rate = Schema.NullOr(Schema.Finite)

const figures = figureFields(Schema.Int, DurationFigures, Rate, RevenueFigures)

/** What happened in a period. */
export const Figures = Schema.Struct(figures).annotate({ identifier: "AnalyticsFigures" })
export type Figures = typeof Figures.Type

/** Per cent to one decimal, relative to the former value; `null` where that was 0 or nothing. */
export const PercentChange = Schema.NullOr(Schema.Finite)

/** How durations changed. */
export const DurationChange = Schema.Struct({
  count: PercentChange,
  medianSeconds: PercentChange,
  p90Seconds: PercentChange
}).annotate({ identifier: "DurationChange" })

/** How the revenue of one currency changed. */
export const RevenueChange = Schema.Struct({
  currency: Currency,
  gross: PercentChange,
  refunded: PercentChange,
  net: PercentChange,
  attributedOrders: PercentChange,
  attributed: PercentChange
}).annotate({ identifier: "RevenueChange" })

/** How each figure changed. */
export const FigureChanges = Schema.Struct(
  figureFields(PercentChange, DurationChange, PercentChange, RevenueChange)
).annotate({
  identifier: "AnalyticsChanges"
})
export type FigureChanges = typeof FigureChanges.Type

/** What happened on a local day. `complete`: it is over. */
export const dayFigures = { ...figures, complete: Schema.Boolean }
