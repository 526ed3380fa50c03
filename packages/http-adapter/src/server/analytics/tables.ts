import type { Agents, BroadcastFigures, Heatmap, LiveWorkload, Overview, Series } from "@parley/domain"
import { DateTime } from "effect"

/** An answer as a table: the names of its columns, and its rows by these names. */
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

/** The figures of a part of an answer, each by its place: money is its amount, and revenue has a currency. */
const leavesOf = (value: unknown, path: ReadonlyArray<string> = [], currency = ""): ReadonlyArray<Leaf> => {
  if (value === null || typeof value === "number") return [{ name: path.join("."), currency, value }]
  if (Array.isArray(value)) return value.flatMap((each: unknown) => leavesOf(each, path, currency))
  if (!isObject(value)) return []
  const { amountMinor, currency: said, ...parts } = value
  const of = typeof said === "string" ? said : currency
  if (typeof amountMinor === "number") return [{ name: path.join("."), currency: of, value: amountMinor }]
  return Object.entries(parts).flatMap(([key, part]) => leavesOf(part, [...path, key], of))
}

/** An overview: a line for each figure of the period, of the one before, of the change, and then of each day. */
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

/** Series: a line for each bucket, and a column for each figure. */
export const seriesTable = ({ buckets, series }: Series): Table =>
  tableOf(
    ["bucket", ...series.map(({ currency, figure }) => (currency === undefined ? figure : `${figure}.${currency}`))],
    buckets.map((bucket, index) => [bucket, ...series.map(({ values }) => values[index] ?? null)])
  )

const durations = ["firstResponse", "reply", "resolution"] as const
const durationParts = ["count", "medianSeconds", "p90Seconds"] as const

/** Members: a line for each. */
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

/** Broadcasts: a line for each, and a column for what each currency brought. */
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

/** A heatmap: a line for each hour of the week. */
export const heatmapTable = ({ occurrences, values }: Heatmap): Table =>
  tableOf(
    ["weekday", "hour", "value", "occurrences"],
    weekdays.flatMap((weekday, day) =>
      Array.from({ length: 24 }, (_, hour) => [weekday, hour, values[day]?.[hour] ?? 0, occurrences[day]?.[hour] ?? 0])
    )
  )

/** What there is to do now: a line for each figure, and for each step of waits. */
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
