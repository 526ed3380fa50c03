import { type DateTime, Schema } from "effect"
import { addDays, Currency, daysBetween, type LocalDate, startOfDay } from "../kernel/index.ts"
import type { QuarterHourRange } from "./AnalyticsFigures.ts"
import { toQuarterHour } from "./Count.ts"
import { CountedAuthor, CountedKind, type Figures } from "./Figures.ts"
import { rangeResponseMeta } from "./dashboardResponses.ts"

const durations = ["firstResponse", "reply", "resolution"] as const

/** Figure of a series, named by its path in the overview. */
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

/** Bucket size. Weeks start on Monday. */
export const SeriesStep = Schema.Literals(["hour", "day", "week", "month"])
export type SeriesStep = typeof SeriesStep.Type

/** Unit of a figure: `money` in the smallest unit of its currency, `rate` between 0 and 1. */
export const FigureUnit = Schema.Literals(["count", "seconds", "rate", "money"])
export type FigureUnit = typeof FigureUnit.Type

/** Figures over time. The key of a bucket is its first local day; the key of an hour is its UTC instant. */
export const Series = Schema.Struct({
  ...rangeResponseMeta,
  by: SeriesStep,
  buckets: Schema.Array(Schema.String),
  series: Schema.Array(
    Schema.Struct({
      figure: SeriesFigure,
      unit: FigureUnit,
      currency: Schema.optionalKey(Currency).annotateKey({
        description:
          "The currency of this row: of money and of `commerce.attributedOrders`. Absent for figures of every currency."
      }),
      /** One per bucket. */
      values: Schema.Array(Schema.NullOr(Schema.Finite))
    })
  )
}).annotate({ identifier: "AnalyticsSeries" })
export type Series = typeof Series.Type

const currencyFigures: ReadonlySet<string> = new Set([
  "commerce.gross",
  "commerce.refunded",
  "commerce.net",
  "commerce.attributedOrders",
  "commerce.attributed"
])

/** Whether a figure exists per currency. */
export const hasCurrency = (figure: SeriesFigure): boolean => currencyFigures.has(figure)

/** Returns the unit of a figure. */
export const unitOf = (figure: SeriesFigure): FigureUnit => {
  if (figure.endsWith("Seconds")) return "seconds"
  if (figure.endsWith("Rate")) return "rate"
  return hasCurrency(figure) && figure !== "commerce.attributedOrders" ? "money" : "count"
}

const rates: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["broadcasts.deliveredRate", ["broadcasts.sent", "broadcasts.delivered"]],
  ["broadcasts.readRate", ["broadcasts.delivered", "broadcasts.read"]],
  ["broadcasts.repliedRate", ["broadcasts.delivered", "broadcasts.replied"]]
])

/** Returns the counted figures that a series figure needs. */
export const toCountedFigures = (figure: SeriesFigure, currency: Currency): ReadonlyArray<string> => {
  const rate = rates.get(figure)
  if (rate !== undefined) return rate
  if (figure === "commerce.net") return [`commerce.gross.${currency}`, `commerce.refunded.${currency}`]
  if (hasCurrency(figure)) return [`${figure}.${currency}`]
  if (figure.endsWith(".total")) {
    return CountedKind.literals.map((kind) => figure.replace(/total$/u, `byKind.${kind}`))
  }
  const [duration = figure] = /^(?:firstResponse|reply|resolution)/u.exec(figure) ?? []
  return [duration]
}

const readKey = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[key] : undefined

/** Reads the value of a figure. */
export const readFigure = (figures: Figures, figure: SeriesFigure, currency: Currency): number | null => {
  const [area = "", ...path] = figure.split(".")
  const place = hasCurrency(figure)
    ? figures.commerce.revenue.find((revenue) => revenue.currency === currency)
    : readKey(figures, area)
  const value = path.reduce(readKey, place)
  const amount = typeof value === "object" ? readKey(value, "amountMinor") : value
  return typeof amount === "number" ? amount : null
}

/** A Monday. */
const monday: LocalDate = "1970-01-05"

/** Returns the first day of the week or month of a date. */
const firstDayOf: Readonly<Record<"day" | "week" | "month", (date: LocalDate) => LocalDate>> = {
  day: (date) => date,
  week: (date) => addDays(date, -(((daysBetween(monday, date) % 7) + 7) % 7)),
  month: (date) => `${date.slice(0, "2026-11".length)}-01`
}

/** Groups days by bucket. Partial weeks and months contain only the days of the range. */
export const groupDaysByBucket = (
  dates: ReadonlyArray<LocalDate>,
  by: "day" | "week" | "month"
): ReadonlyArray<ReadonlyArray<LocalDate>> => [...Map.groupBy(dates, firstDayOf[by]).values()]

const quartersOfHour = 4

/** Returns the started hours of local days as ranges of quarter hours. The last hour of a day is shorter after a clock change of half an hour. */
export const toHourRanges = (
  dates: ReadonlyArray<LocalDate>,
  zone: DateTime.TimeZone,
  now: DateTime.Utc
): ReadonlyArray<QuarterHourRange> =>
  dates.flatMap((date) => {
    const [first, end] = [toQuarterHour(startOfDay(date, zone)), toQuarterHour(startOfDay(addDays(date, 1), zone))]
    const hours: Array<QuarterHourRange> = []
    for (let from = first; from < end && from <= toQuarterHour(now); from += quartersOfHour) {
      hours.push({ from, to: Math.min(from + quartersOfHour, end) })
    }
    return hours
  })
