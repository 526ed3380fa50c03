import { Schema } from "effect"
import { Currency } from "../../kernel/index.ts"
import { answeredRange } from "./AnalyticsMeta.ts"
import { CountedAuthor, CountedKind } from "./Figures.ts"

const durations = ["firstResponse", "reply", "resolution"] as const

/** A figure that a series can be drawn of, by its place in the overview. */
export const SeriesFigure = Schema.Literals([
  "conversations.opened",
  "conversations.reopened",
  "conversations.resolved",
  "conversations.resolvedByMachine",
  "conversations.open",
  "conversations.waiting",
  "messages.inbound.total",
  ...CountedKind.literals.map((kind) => `messages.inbound.byKind.${kind}` as const),
  "messages.outbound.total",
  ...CountedKind.literals.map((kind) => `messages.outbound.byKind.${kind}` as const),
  ...CountedAuthor.literals.map((author) => `messages.outbound.byAuthor.${author}` as const),
  "messages.failed",
  ...durations.map((each) => `${each}.count` as const),
  ...durations.map((each) => `${each}.medianSeconds` as const),
  ...durations.map((each) => `${each}.p90Seconds` as const),
  "contacts.new",
  "contacts.imported",
  "contacts.active",
  "contacts.unsubscribed",
  "broadcasts.started",
  "broadcasts.sent",
  "broadcasts.delivered",
  "broadcasts.read",
  "broadcasts.replied",
  "broadcasts.deliveredRate",
  "broadcasts.readRate",
  "broadcasts.repliedRate",
  "commerce.orders",
  "commerce.gross",
  "commerce.refunded",
  "commerce.net",
  "commerce.attributedOrders",
  "commerce.attributed"
])
export type SeriesFigure = typeof SeriesFigure.Type

/** What the buckets of a series are. Weeks begin on Monday. */
export const SeriesStep = Schema.Literals(["hour", "day", "week", "month"])
export type SeriesStep = typeof SeriesStep.Type

/** What the values of a figure are: `money` in the smallest unit of its currency, `rate` between 0 and 1. */
export const FigureUnit = Schema.Literals(["count", "seconds", "rate", "money"])
export type FigureUnit = typeof FigureUnit.Type

/** Figures over time. A bucket is named by its first local day, an hour by its instant in UTC. */
export const Series = Schema.Struct({
  ...answeredRange,
  by: SeriesStep,
  buckets: Schema.Array(Schema.String),
  series: Schema.Array(
    Schema.Struct({
      figure: SeriesFigure,
      unit: FigureUnit,
      /** Of money only. */
      currency: Schema.optionalKey(Currency),
      /** One for each bucket. */
      values: Schema.Array(Schema.NullOr(Schema.Finite))
    })
  )
}).annotate({ identifier: "AnalyticsSeries" })
export type Series = typeof Series.Type
