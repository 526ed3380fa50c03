import { CountedKind, type Figures } from "../answers/Figures.ts"
import type { FigureUnit, SeriesFigure } from "../answers/Series.ts"
import type { Currency } from "../../kernel/index.ts"

const ofCurrency: ReadonlySet<string> = new Set([
  "commerce.gross",
  "commerce.refunded",
  "commerce.net",
  "commerce.attributedOrders",
  "commerce.attributed"
])

/** Whether a figure is one of each currency. */
export const hasCurrency = (figure: SeriesFigure): boolean => ofCurrency.has(figure)

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
export const countedOf = (figure: SeriesFigure, currency: Currency): ReadonlyArray<string> => {
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

const at = (value: unknown, key: string): unknown =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[key] : undefined

/** The value of a figure among all of them. */
export const valueIn = (figures: Figures, figure: SeriesFigure, currency: Currency): number | null => {
  const [area = "", ...path] = figure.split(".")
  const place = hasCurrency(figure)
    ? figures.commerce.revenue.find((revenue) => revenue.currency === currency)
    : at(figures, area)
  const value = path.reduce(at, place)
  const amount = typeof value === "object" ? at(value, "amountMinor") : value
  return typeof amount === "number" ? amount : null
}
