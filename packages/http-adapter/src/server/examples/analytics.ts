import { DateTime, Schema } from "effect"
import { Currency } from "@parley/domain/kernel"
import { BroadcastId } from "@parley/domain/campaigns"
import {
  type Agents,
  type BroadcastFigures,
  type Costs,
  type Figures,
  type Heatmap,
  type LiveWorkload,
  type Overview,
  type Series,
  stepOf,
  sumFigures,
  toFigureChanges,
  toFigures,
  waitSteps
} from "@parley/domain/analytics"
import { ada, lastSamplePage, organization } from "./samples.ts"

const eur = Schema.decodeSync(Currency)("EUR")

/** Figures of a bakery's week, or of a part of it. */
export const figures = (share: number, gauges: { readonly open: number; readonly waiting: number }): Figures => {
  const count = (figure: string, amount: number, step = 0) => ({
    figure,
    steps: [step],
    amounts: [Math.round(amount * share)]
  })
  const durations = (figure: string, ended: number) => [
    count(figure, ended * 0.6, stepOf(187)),
    count(figure, ended * 0.4, stepOf(2_416))
  ]
  return toFigures(
    sumFigures([
      count("conversations.opened", 412),
      count("conversations.reopened", 38),
      count("conversations.resolved", 420),
      count("conversations.resolvedByMachine", 55),
      count("messages.inbound.byKind.text", 2_150),
      count("messages.inbound.byKind.image", 60),
      count("messages.outbound.byKind.text", 1_820),
      count("messages.outbound.byKind.template", 5_200),
      count("messages.outbound.byAuthor.user", 1_610),
      count("messages.outbound.byAuthor.automation", 210),
      count("messages.outbound.byAuthor.broadcast", 5_200),
      count("messages.failed", 31),
      ...durations("firstResponse", 352),
      ...durations("reply", 590),
      ...durations("resolution", 420),
      count("contacts.new", 190),
      count("contacts.active", 733),
      count("contacts.unsubscribed", 9),
      count("broadcasts.started", 3),
      count("broadcasts.sent", 5_200),
      count("broadcasts.delivered", 5_011),
      count("broadcasts.read", 3_570),
      count("broadcasts.replied", 298),
      count("commerce.orders", 88),
      count("commerce.gross.EUR", 412_300),
      count("commerce.refunded.EUR", 9_900),
      count("commerce.attributedOrders.EUR", 12),
      count("commerce.attributed.EUR", 58_400)
    ]),
    gauges,
    [eur]
  )
}

export const [current, previous] = [figures(1, { open: 63, waiting: 12 }), figures(0.9, { open: 58, waiting: 10 })]

const asOf = DateTime.makeUnsafe("2026-11-20T09:10:00Z")

export const overview: Overview = {
  period: { name: "7d", timezone: organization.timezone, from: DateTime.makeUnsafe("2026-11-13T23:00:00Z"), to: asOf },
  previousPeriod: {
    from: DateTime.makeUnsafe("2026-11-06T23:00:00Z"),
    to: DateTime.makeUnsafe("2026-11-13T09:00:00Z")
  },
  asOf,
  state: "current",
  current,
  previous,
  change: toFigureChanges(current, previous),
  days: [{ date: "2026-11-14", complete: true, ...figures(0.15, { open: 60, waiting: 9 }) }],
  load: {
    unassigned: { open: 7, waiting: 3 },
    agents: [{ id: ada.id, name: ada.name, open: 9, waiting: 2 }]
  }
}

const ranged = {
  timezone: organization.timezone,
  from: "2026-11-14",
  to: "2026-11-20",
  asOf,
  state: "current"
} as const

export const series: Series = {
  ...ranged,
  from: "2026-11-19",
  by: "day",
  buckets: ["2026-11-19", "2026-11-20"],
  series: [
    { figure: "conversations.opened", unit: "count", values: [58, 61] },
    { figure: "commerce.net", unit: "money", currency: eur, values: [61_200, 57_900] }
  ]
}

const { firstResponse, reply, resolution } = current

export const agents: Agents = {
  ...ranged,
  ...lastSamplePage({
    id: ada.id,
    name: ada.name,
    status: "active" as const,
    sent: 310,
    replies: 205,
    resolved: 64,
    open: 9,
    waiting: 2,
    firstResponse,
    reply,
    resolution
  })
}

export const broadcasts: BroadcastFigures = {
  ...ranged,
  ...lastSamplePage({
    id: BroadcastId.make("01934bd0-1a2b-7c3d-8e4f-506172839405"),
    name: "Sale",
    status: "completed" as const,
    startedAt: DateTime.makeUnsafe("2026-11-20T08:00:00Z"),
    matched: 5_300,
    failed: 81,
    inDoubt: 0,
    optedOut: 6,
    sent: 5_200,
    delivered: 5_011,
    read: 3_570,
    replied: 298,
    deliveredRate: 0.9637,
    readRate: 0.7124,
    repliedRate: 0.0595,
    attributedOrders: 12,
    attributed: [{ amountMinor: 58_400, currency: eur }]
  })
}

export const costs: Costs = {
  timezone: organization.timezone,
  from: "2026-11-14",
  to: "2026-11-20",
  asOf,
  by: "category",
  total: { currency: eur, amount: 588_113_000, messages: 5_320, free: 118, withoutRate: 2 },
  rows: [
    { key: "marketing", name: null, currency: eur, amount: 588_113_000, messages: 5_200, free: 0, withoutRate: 0 },
    { key: "service", name: null, currency: eur, amount: 0, messages: 120, free: 118, withoutRate: 2 }
  ]
}

const week = (valueOf: (day: number, hour: number) => number) =>
  Array.from({ length: 7 }, (_day, day) => Array.from({ length: 24 }, (_hour, hour) => valueOf(day, hour)))

export const heatmap: Heatmap = {
  ...ranged,
  figure: "messages.inbound.total",
  values: week((day, hour) => (hour < 8 || hour > 20 ? 0 : 3 * (6 - day) + hour)),
  occurrences: week(() => 1)
}

export const live: LiveWorkload = {
  timezone: organization.timezone,
  asOf,
  state: "current",
  open: 63,
  pending: 4,
  snoozed: 11,
  unassigned: 7,
  waiting: {
    count: 12,
    longestSeconds: 5_412,
    steps: waitSteps.map((upToSeconds, index) => ({ upToSeconds, count: [4, 3, 3, 2, 0, 0][index] ?? 0 }))
  }
}
