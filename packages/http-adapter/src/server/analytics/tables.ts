import type { Agents, BroadcastFigures, Costs, Heatmap, LiveWorkload, Overview, Series } from "@parley/domain/analytics"
import { DateTime } from "effect"

/** Answer as a table: column names, and rows by column name. */
export interface Table {
  readonly header: ReadonlyArray<string>
  readonly rows: ReadonlyArray<Readonly<Record<string, string>>>
}

type Value = string | number | boolean | null

const written = (value: Value) => (value === null ? "" : String(value))

interface Leaf {
  readonly name: string
  readonly currency: string
  readonly value: number | null
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** Lists the figures of a part of an answer by path. Money becomes its amount; revenue has a currency. */
const leavesOf = (value: unknown, path: ReadonlyArray<string> = [], currency = ""): ReadonlyArray<Leaf> => {
  if (value === null || typeof value === "number") return [{ name: path.join("."), currency, value }]
  if (Array.isArray(value)) return value.flatMap((each: unknown) => leavesOf(each, path, currency))
  if (!isObject(value)) return []
  const { amountMinor, currency: input, ...parts } = value
  const of = typeof input === "string" ? input : currency
  if (typeof amountMinor === "number") return [{ name: path.join("."), currency: of, value: amountMinor }]
  return Object.entries(parts).flatMap(([key, part]) => leavesOf(part, [...path, key], of))
}

/** Builds the table of an overview: a line per figure of the period, the previous period, the change, and each day. */
export const overviewTable = ({ change, current, days, previous }: Overview): Table => ({
  header: ["date", "figure", "currency", "value"],
  rows: [
    { date: "total", figures: current },
    { date: "previous", figures: previous },
    { date: "change", figures: change },
    ...days.map(({ complete: _complete, date, ...figures }) => ({ date, figures }))
  ].flatMap(({ date, figures }) =>
    leavesOf(figures).map(({ currency, name, value }) => ({
      date,
      figure: name.replace(".revenue.", "."),
      currency,
      value: written(value)
    }))
  )
})

const tableOf = (header: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<Value>>): Table => ({
  header,
  rows: rows.map((row) => Object.fromEntries(header.map((name, index) => [name, written(row[index] ?? null)])))
})

/** Builds the table of series: a line per bucket, a column per figure. */
export const seriesTable = ({ buckets, series }: Series): Table =>
  tableOf(
    ["bucket", ...series.map(({ currency, figure }) => (currency === undefined ? figure : `${figure}.${currency}`))],
    buckets.map((bucket, index) => [bucket, ...series.map(({ values }) => values[index] ?? null)])
  )

const durations = ["firstResponse", "reply", "resolution"] as const
const durationParts = ["count", "medianSeconds", "p90Seconds"] as const

/** Builds the table of members, with a line per member. */
export const agentsTable = ({ data }: Agents): Table => {
  const counts = ["sent", "replies", "resolved", "open", "waiting"] as const
  return tableOf(
    ["id", "name", "status", ...counts, ...durations.flatMap((each) => durationParts.map((part) => `${each}.${part}`))],
    data.map((row) => [
      row.id,
      row.name,
      row.status,
      ...counts.map((each) => row[each]),
      ...durations.flatMap((each) => durationParts.map((part) => row[each][part]))
    ])
  )
}

const outcomes = ["matched", "sent", "delivered", "read", "replied", "failed", "inDoubt", "optedOut"] as const
const shares = ["deliveredRate", "readRate", "repliedRate", "attributedOrders"] as const

/** Builds the table of broadcasts: a line per broadcast, a column for the revenue in each currency. */
export const broadcastsTable = ({ data }: BroadcastFigures): Table => {
  const found = new Set(data.flatMap(({ attributed }) => attributed.map(({ currency }) => currency)))
  const currencies = [...found].toSorted()
  return tableOf(
    [
      "id",
      "name",
      "status",
      "startedAt",
      ...outcomes,
      ...shares,
      ...currencies.map((currency) => `attributed.${currency}`)
    ],
    data.map((row) => [
      row.id,
      row.name,
      row.status,
      DateTime.formatIso(row.startedAt),
      ...outcomes.map((each) => row[each]),
      ...shares.map((each) => row[each]),
      ...currencies.map((of) => row.attributed.find(({ currency }) => currency === of)?.amountMinor ?? 0)
    ])
  )
}

const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const

/** Builds the table of a heatmap, with a line per hour of the week. */
export const heatmapTable = ({ occurrences, values }: Heatmap): Table =>
  tableOf(
    ["weekday", "hour", "value", "occurrences"],
    weekdays.flatMap((weekday, day) =>
      Array.from({ length: 24 }, (_, hour) => [weekday, hour, values[day]?.[hour] ?? 0, occurrences[day]?.[hour] ?? 0])
    )
  )

/** Builds the table of costs, with the total first. Amounts are in 1/10,000 of the smallest unit. */
export const costsTable = ({ rows, total }: Costs): Table =>
  tableOf(
    ["key", "name", "currency", "amount", "messages", "free", "withoutRate"],
    [{ key: "total", name: null, ...total }, ...rows].map(
      ({ amount, currency, free, key, messages, name, withoutRate }) => [
        key,
        name,
        currency,
        amount,
        messages,
        free,
        withoutRate
      ]
    )
  )

/** Builds the table of the live workload: a line per figure and per step of waiting times. */
export const liveTable = ({ open, pending, snoozed, unassigned, waiting }: LiveWorkload): Table =>
  tableOf(
    ["figure", "value"],
    [
      ...Object.entries({ open, pending, snoozed, unassigned }),
      ["waiting.count", waiting.count],
      ["waiting.longestSeconds", waiting.longestSeconds],
      ...waiting.steps.map(({ count, upToSeconds }): [string, number] => [
        `waiting.upTo.${upToSeconds ?? "all"}`,
        count
      ])
    ]
  )
