import type {
  Agents,
  BroadcastFigures,
  Costs,
  Currency,
  Heatmap,
  LiveWorkload,
  Overview,
  Series,
  SeriesFigure
} from "@parley/domain"
import { DateTime } from "effect"
import type { Panel, Row } from "./charts/Panel.ts"
import { drawChart, type Look } from "./charts/drawChart.ts"
import { shown } from "./charts/values.ts"

const rangeOf = ({ from, to }: { readonly from: string; readonly to: string }) =>
  from === to ? from : `${from} to ${to}`

/** Draws an overview: four panels of lines, revenue in the organization's own currency. */
export const overviewChart = ({ days, period }: Overview, currency: Currency, look: Look): string => {
  const labels = days.map(({ date }) => date)
  const row = (name: string, valueOf: (day: Overview["days"][number]) => number | null): Row => ({
    name,
    values: days.map(valueOf)
  })
  const panel = (title: string, measure: Panel["measure"], rows: ReadonlyArray<Row>): Panel => ({
    kind: "lines",
    title,
    measure,
    labels,
    rows
  })
  const panels = [
    panel("Conversations", { unit: "count" }, [
      row("opened", ({ conversations }) => conversations.opened),
      row("resolved", ({ conversations }) => conversations.resolved)
    ]),
    panel("Messages", { unit: "count" }, [
      row("in", ({ messages }) => messages.inbound.total),
      row("out", ({ messages }) => messages.outbound.total)
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
  const range = { from: labels[0] ?? period.name, to: labels.at(-1) ?? period.name }
  return drawChart({ title: "Overview", range: rangeOf(range) }, panels, look)
}

/** Names a figure in a chart: `conversations.resolvedByMachine` is "conversations resolved by machine". */
const nameOf = (figure: SeriesFigure, currency: string | undefined): string => {
  const said = figure
    .replace(/\.by(?:Kind|Author)\./u, ".")
    .replace(".total", "")
    .replace(/([a-z])([A-Z])/gu, "$1 $2")
    .replaceAll(/[._]/gu, " ")
    .toLowerCase()
  return currency === undefined ? said : `${said}, ${currency}`
}

const unitTitles = { count: "Count", seconds: "Time", rate: "Share", money: "Money" } as const

/** Formats a bucket below a chart without the year, which the title contains: an hour is `11-21 15:00Z`. */
const labelOf = (bucket: string): string => bucket.replace(/^\d{4}-(\d\d-\d\d)T(\d\d:\d\d):00\.000Z$/u, "$1 $2Z")

/** Draws series, with a panel per unit and per currency. */
export const seriesChart = ({ buckets, from, series, to }: Series, look: Look): string => {
  const groups = Map.groupBy(series, ({ currency, unit }) => `${unit} ${currency ?? ""}`)
  const panels = [...groups.values()].flatMap((group): ReadonlyArray<Panel> => {
    const [first] = group
    if (first === undefined) return []
    const { currency, unit } = first
    const rows = group.map((each) => ({ name: nameOf(each.figure, each.currency), values: each.values }))
    const [only] = rows
    const title = rows.length === 1 && only !== undefined ? only.name : unitTitles[unit]
    const measure = currency === undefined ? { unit } : { unit, currency }
    return [{ kind: "lines", title, measure, labels: buckets.map(labelOf), rows }]
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
    { name: "delivered", values: data.map(({ deliveredRate }) => deliveredRate) },
    { name: "read", values: data.map(({ readRate }) => readRate) },
    { name: "replied", values: data.map(({ repliedRate }) => repliedRate) }
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
    labels: rows.map(({ key }) => key ?? "unknown"),
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
  const labels = Array.from({ length: 24 }, (_, hour) => String(hour))
  const panel: Panel = { kind: "grid", title, measure: { unit: "count" }, labels, rows }
  return drawChart({ title, range: rangeOf({ from, to }) }, [panel], look)
}
