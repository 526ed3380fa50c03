import { type DateTime, Schema } from "effect"
import { addDays, Currency, daysBetween, type LocalDate, startOfDay } from "../kernel/index.ts"
import type { QuarterHourRange } from "./AnalyticsFigures.ts"
import { toQuarterHour } from "./Count.ts"
import { CountedAuthor, CountedKind, type Figures } from "./Figures.ts"
import { rangeResponseMeta } from "./dashboardResponses.ts"

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
  ...rangeResponseMeta,
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

const currencyFigures: ReadonlySet<string> = new Set([
  "commerce.gross",
  "commerce.refunded",
  "commerce.net",
  "commerce.attributedOrders",
  "commerce.attributed"
])

/** Whether a figure is one of each currency. */
export const hasCurrency = (figure: SeriesFigure): boolean => currencyFigures.has(figure)

/** What the values of a figure are. */
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

/** The figures of the books that one is made of. */
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

/** The value of a figure among all of them. */
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

/** The first day of the week, or the month, that a day is in. */
const firstDayOf: Readonly<Record<"day" | "week" | "month", (date: LocalDate) => LocalDate>> = {
  day: (date) => date,
  week: (date) => addDays(date, -(((daysBetween(monday, date) % 7) + 7) % 7)),
  month: (date) => `${date.slice(0, "2026-11".length)}-01`
}

/** The days of each bucket; a week or a month that is in a range by a part only is as long as that part. */
export const groupDaysByBucket = (
  dates: ReadonlyArray<LocalDate>,
  by: "day" | "week" | "month"
): ReadonlyArray<ReadonlyArray<LocalDate>> => [...Map.groupBy(dates, firstDayOf[by]).values()]

const quartersOfHour = 4

/** The hours of local days that have begun, as quarter hours. The last one of a day is shorter where clocks are moved by half an hour. */
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
