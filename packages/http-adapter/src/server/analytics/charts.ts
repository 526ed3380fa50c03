import type { Currency } from "@parley/domain/kernel"
import type {
  Agents,
  BroadcastFigures,
  Costs,
  Heatmap,
  LiveWorkload,
  Overview,
  Series,
  SeriesFigure
} from "@parley/domain/analytics"
import { DateTime } from "effect"
import type { Panel, Row } from "./charts/Panel.ts"
import { drawChart, type Look } from "./charts/drawChart.ts"
import { shown } from "./charts/values.ts"

const rangeOf = ({ from, to }: { readonly from: string; readonly to: string }) =>
  from === to ? from : `${from} to ${to}`

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const

/** Formats a day or an hour below a chart without the year, which the title contains: `21 Nov` or `21 Nov 15:00Z`. */
const labelOf = (bucket: string): string =>
  bucket.replace(/^\d{4}-(\d\d)-(\d\d)(?:T(\d\d:\d\d):00\.000Z)?$/u, (_, month, day, hour) =>
    [Number(day), months[Number(month) - 1], ...(hour === undefined ? [] : [`${hour}Z`])].join(" ")
  )

/** Whether this local day is not over at the time of the answer. */
const isOpen = (day: string, asOf: DateTime.Utc, timezone: string): boolean =>
  day >= DateTime.formatIsoDate(DateTime.setZone(asOf, DateTime.zoneMakeNamedUnsafe(timezone)))

/** Draws an overview: four panels of lines, revenue in the organization's own currency. */
export const overviewChart = ({ asOf, days, period }: Overview, currency: Currency, look: Look): string => {
  const labels = days.map(({ date }) => labelOf(date))
  const isUnfinished = isOpen(days.at(-1)?.date ?? "", asOf, period.timezone)
  const row = (name: string, valueOf: (day: Overview["days"][number]) => number | null): Row => ({
    name,
    values: days.map(valueOf)
  })
  const panel = (title: string, measure: Panel["measure"], rows: ReadonlyArray<Row>): Panel => ({
    kind: "lines",
    title,
    measure,
    labels,
    rows,
    isUnfinished
  })
  const panels = [
    panel("Conversations", { unit: "count" }, [
      row("Opened", ({ conversations }) => conversations.opened),
      row("Resolved", ({ conversations }) => conversations.resolved)
    ]),
    panel("Messages", { unit: "count" }, [
      row("Inbound", ({ messages }) => messages.inbound.total),
      row("Outbound", ({ messages }) => messages.outbound.total)
    ]),
    panel("Median first response", { unit: "seconds" }, [
      row("Median first response", ({ firstResponse }) => firstResponse.medianSeconds)
    ]),
    panel(`Net revenue in ${currency}`, { unit: "money", currency }, [
      row(
        `Net revenue in ${currency}`,
        ({ commerce }) => commerce.revenue.find((each) => each.currency === currency)?.net.amountMinor ?? 0
      )
    ])
  ]
  const range = { from: days[0]?.date ?? period.name, to: days.at(-1)?.date ?? period.name }
  return drawChart({ title: "Overview", range: rangeOf(range) }, panels, look)
}

/** Writes a key as words: `marketing_lite` is "Marketing lite". */
const toWords = (key: string): string => {
  const words = key.replaceAll(/[._]/gu, " ")
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Names a figure in a chart: `conversations.resolvedByMachine` is "Conversations resolved by machine". */
const nameOf = (figure: SeriesFigure, currency: string | undefined): string => {
  const words = figure
    .replace(/\.by(?:Kind|Author)\./u, ".")
    .replace(".total", "")
    .replace(/([a-z])([A-Z])/gu, "$1 $2")
    .toLowerCase()
  return currency === undefined ? toWords(words) : `${toWords(words)}, ${currency}`
}

const unitTitles = { count: "Count", seconds: "Time", rate: "Share", money: "Money" } as const

/** Draws series, with a panel per unit and per currency. */
export const seriesChart = ({ asOf, buckets, by, from, series, timezone, to }: Series, look: Look): string => {
  const isUnfinished = by !== "hour" && isOpen(to, asOf, timezone)
  const groups = Map.groupBy(series, ({ currency, unit }) => `${unit} ${currency ?? ""}`)
  const panels = [...groups.values()].flatMap((group): ReadonlyArray<Panel> => {
    const [first] = group
    if (first === undefined) return []
    const { currency, unit } = first
    const rows = group.map((each) => ({ name: nameOf(each.figure, each.currency), values: each.values }))
    const [only] = rows
    const title = rows.length === 1 && only !== undefined ? only.name : unitTitles[unit]
    const measure = currency === undefined ? { unit } : { unit, currency }
    return [{ kind: "lines", title, measure, labels: buckets.map(labelOf), rows, isUnfinished }]
  })
  return drawChart({ title: "Figures", range: rangeOf({ from, to }) }, panels, look)
}

/** Draws the replies of members. */
export const agentsChart = ({ data, from, to }: Agents, look: Look): string => {
  const rows = [{ name: "Replies", values: data.map(({ replies }) => replies) }]
  const panel: Panel = {
    kind: "bars",
    title: "Replies",
    measure: { unit: "count" },
    labels: data.map(({ name }) => name),
    rows
  }
  return drawChart({ title: "Agents", range: rangeOf({ from, to }) }, [panel], look)
}

/** Draws the rates of broadcasts. */
export const broadcastsChart = ({ data, from, to }: BroadcastFigures, look: Look): string => {
  const rows = [
    { name: "Delivered", values: data.map(({ deliveredRate }) => deliveredRate) },
    { name: "Read", values: data.map(({ readRate }) => readRate) },
    { name: "Replied", values: data.map(({ repliedRate }) => repliedRate) }
  ]
  const panel: Panel = {
    kind: "bars",
    title: "Rates",
    measure: { unit: "rate" },
    labels: data.map(({ name }) => name),
    rows
  }
  return drawChart({ title: "Broadcasts", range: rangeOf({ from, to }) }, [panel], look)
}

const finePerMinor = 10_000

/** Draws the amounts of costs, rounded to the smallest unit. */
export const costsChart = ({ from, rows, to, total }: Costs, look: Look): string => {
  const amounts = [{ name: "Amount", values: rows.map(({ amount }) => Math.round(amount / finePerMinor)) }]
  const panel: Panel = {
    kind: "bars",
    title: "Costs",
    measure: { unit: "money", currency: total.currency },
    labels: rows.map(({ key }) => (key === null ? "Unknown" : /^[a-z_]+$/u.test(key) ? toWords(key) : key)),
    rows: amounts
  }
  return drawChart({ title: "Costs", range: rangeOf({ from, to }) }, [panel], look)
}

/** Draws the number of waiting conversations by waiting time. */
export const liveChart = ({ asOf, waiting }: LiveWorkload, look: Look): string => {
  const labels = waiting.steps.map(({ upToSeconds }, index) => {
    if (upToSeconds !== null) return `up to ${shown(upToSeconds, { unit: "seconds" })}`
    const last = waiting.steps[index - 1]?.upToSeconds ?? 0
    return `over ${shown(last, { unit: "seconds" })}`
  })
  const rows = [{ name: "Waiting", values: waiting.steps.map(({ count }) => count) }]
  const panel: Panel = { kind: "bars", title: "Waiting", measure: { unit: "count" }, labels, rows }
  const now = DateTime.formatIso(asOf)
  return drawChart({ title: "Waiting for an answer", range: rangeOf({ from: now, to: now }) }, [panel], look)
}

const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const

/** Draws the distribution of a figure over the week. */
export const heatmapChart = ({ figure, from, to, values }: Heatmap, look: Look): string => {
  const title = nameOf(figure, undefined)
  const rows = weekdays.map((name, index) => ({ name, values: values[index] ?? [] }))
  const labels = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, "0")}:00`)
  const panel: Panel = { kind: "grid", title, measure: { unit: "count" }, labels, rows }
  return drawChart({ title, range: rangeOf({ from, to }) }, [panel], look)
}
