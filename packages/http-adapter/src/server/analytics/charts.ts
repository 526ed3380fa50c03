import type { Currency } from "@parley/domain/kernel"
import type { Agents, BroadcastFigures, Costs, Heatmap, LiveWorkload, Overview, Series } from "@parley/domain/analytics"
import { DateTime } from "effect"
import {
  bucketText,
  bucketTicks,
  countryText,
  dayText,
  figureText,
  instantText,
  rangeText,
  toWords
} from "./chartTexts.ts"
import type { Panel, Row } from "./charts/Panel.ts"
import { drawChart, type Look } from "./charts/drawChart.ts"
import { shown } from "./charts/values.ts"

/** Whether this local day is not over at the time of the answer. */
const isOpen = (day: string, asOf: DateTime.Utc, timezone: string): boolean =>
  day >= DateTime.formatIsoDate(DateTime.setZone(asOf, DateTime.zoneMakeNamedUnsafe(timezone)))

/** Draws an overview: four panels of lines, revenue in the organization's own currency. */
export const overviewChart = ({ asOf, days, period }: Overview, currency: Currency, look: Look): string => {
  const dates = days.map(({ date }) => date)
  const labels = dates.map(dayText)
  const tickSets = bucketTicks(dates, "day", DateTime.zoneMakeNamedUnsafe(period.timezone))
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
    tickSets,
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
  const range = { from: dates[0] ?? "", to: dates.at(-1) ?? "" }
  return drawChart({ title: "Overview", range: days.length === 0 ? period.name : rangeText(range) }, panels, look)
}

const unitTitles = { count: "Count", seconds: "Time", rate: "Share", money: "Money" } as const

/** Draws series, with a panel per unit and per currency. */
export const seriesChart = ({ asOf, buckets, by, from, series, timezone, to }: Series, look: Look): string => {
  const isUnfinished = isOpen(to, asOf, timezone)
  const zone = DateTime.zoneMakeNamedUnsafe(timezone)
  const labels = buckets.map((bucket) => bucketText(bucket, by, zone))
  const tickSets = bucketTicks(buckets, by, zone)
  const groups = Map.groupBy(series, ({ currency, unit }) => `${unit} ${currency ?? ""}`)
  const panels = [...groups.values()].flatMap((group): ReadonlyArray<Panel> => {
    const [first] = group
    if (first === undefined) return []
    const { currency, unit } = first
    const rows = group.map((each) => ({ name: figureText(each.figure, each.currency), values: each.values }))
    const [only] = rows
    const title = rows.length === 1 && only !== undefined ? only.name : unitTitles[unit]
    const measure = currency === undefined ? { unit } : { unit, currency }
    return [{ kind: "lines", title, measure, labels, tickSets, rows, isUnfinished }]
  })
  const range = by === "hour" ? `${rangeText({ from, to })} in ${timezone}` : rangeText({ from, to })
  return drawChart({ title: "Figures", range }, panels, look)
}

/** Draws the replies of members. */
export const agentsChart = ({ data, from, nextCursor, to }: Agents, look: Look): string => {
  const rows = [{ name: "Replies", values: data.map(({ replies }) => replies) }]
  const panel: Panel = {
    kind: "bars",
    title: "Replies",
    measure: { unit: "count" },
    labels: data.map(({ name }) => name),
    rows,
    hasMore: nextCursor !== null
  }
  return drawChart({ title: "Agents", range: rangeText({ from, to }) }, [panel], look)
}

/** Draws the rates of broadcasts. */
export const broadcastsChart = ({ data, from, nextCursor, to }: BroadcastFigures, look: Look): string => {
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
    rows,
    hasMore: nextCursor !== null
  }
  return drawChart({ title: "Broadcasts", range: rangeText({ from, to }) }, [panel], look)
}

const finePerMinor = 10_000

const countText = (count: number) => (count === 1 ? "1 message" : `${count} messages`)

/** Explains a chart without amounts. */
const noCostsText = ({ currency, free, messages, withoutRate }: Costs["total"]): string => {
  if (messages === 0) return "No messages were delivered in this period."
  if (withoutRate === 0) {
    return free === messages ? "All messages of this period were free." : "The rates of all messages are 0."
  }
  return `No rates in ${currency} are set for ${countText(withoutRate)}. The operator sets rates with "parley rate-cards import".`
}

const costLabel = ({ key, name }: Costs["rows"][number], by: Costs["by"]): string => {
  if (key === null) return "Unknown"
  if (by === "category") return toWords(key)
  return by === "country" ? countryText(key) : (name ?? key)
}

/** Draws the amounts of costs, rounded to the smallest unit: over time as lines, otherwise as bars. */
export const costsChart = (costs: Costs, look: Look): string => {
  const { asOf, by, rows, timezone, to, total } = costs
  const amounts = [{ name: "Costs", values: rows.map(({ amount }) => Math.round(amount / finePerMinor)) }]
  const shared = {
    title: "Costs",
    measure: { unit: "money", currency: total.currency },
    rows: amounts,
    emptyText: noCostsText(total),
    ...(total.withoutRate > 0 &&
      total.amount > 0 && { note: `Not included: ${countText(total.withoutRate)} without a rate.` })
  } as const
  const range = rangeText(costs)
  if (by === "category" || by === "country" || by === "chat_account") {
    const labels = rows.map((row) => costLabel(row, by))
    return drawChart({ title: "Costs", range }, [{ kind: "bars", labels, ...shared }], look)
  }
  const zone = DateTime.zoneMakeNamedUnsafe(timezone)
  const days = rows.map(({ key }) => key ?? to)
  const panel: Panel = {
    kind: "lines",
    labels: days.map((day) => bucketText(day, by, zone)),
    tickSets: bucketTicks(days, by, zone),
    isUnfinished: isOpen(to, asOf, timezone),
    ...shared
  }
  return drawChart({ title: "Costs", range }, [panel], look)
}

/** Draws the number of waiting conversations by waiting time. */
export const liveChart = ({ asOf, timezone, waiting }: LiveWorkload, look: Look): string => {
  const labels = waiting.steps.map(({ upToSeconds }, index) => {
    if (upToSeconds !== null) return `up to ${shown(upToSeconds, { unit: "seconds" })}`
    const last = waiting.steps[index - 1]?.upToSeconds ?? 0
    return `over ${shown(last, { unit: "seconds" })}`
  })
  const rows = [{ name: "Waiting", values: waiting.steps.map(({ count }) => count) }]
  const panel: Panel = {
    kind: "bars",
    title: "Conversations by waiting time",
    measure: { unit: "count" },
    labels,
    rows,
    emptyText: "No conversation is waiting for an answer."
  }
  return drawChart({ title: "Waiting conversations", range: instantText(asOf, timezone) }, [panel], look)
}

const weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const

/** Draws the distribution of a figure over the week. */
export const heatmapChart = ({ figure, from, to, values }: Heatmap, look: Look): string => {
  const title = figureText(figure)
  const rows = weekdays.map((name, index) => ({ name, values: values[index] ?? [] }))
  const labels = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, "0")}:00`)
  const panel: Panel = { kind: "grid", title, measure: { unit: "count" }, labels, rows }
  return drawChart({ title, range: rangeText({ from, to }) }, [panel], look)
}
