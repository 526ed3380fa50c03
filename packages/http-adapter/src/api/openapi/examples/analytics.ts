import {
  changesOf,
  Currency,
  type Figures,
  figuresOf,
  type Overview,
  readOverview,
  stepOf,
  sumsOf
} from "@parley/domain"
import { DateTime, Schema } from "effect"
import type { AnalyticsApi } from "../../analytics.ts"
import type { ExamplesOf } from "./Example.ts"
import { ada, organization } from "./samples.ts"

const eur = Schema.decodeSync(Currency)("EUR")

/** Figures of a bakery's week, or of a part of it. */
const figures = (share: number, gauges: { readonly open: number; readonly waiting: number }): Figures => {
  const count = (figure: string, amount: number, step = 0) => ({
    figure,
    steps: [step],
    amounts: [Math.round(amount * share)]
  })
  const durations = (figure: string, ended: number) => [
    count(figure, ended * 0.6, stepOf(187)),
    count(figure, ended * 0.4, stepOf(2_416))
  ]
  return figuresOf(
    sumsOf([
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

const [current, previous] = [figures(1, { open: 63, waiting: 12 }), figures(0.9, { open: 58, waiting: 10 })]

const asOf = DateTime.makeUnsafe("2026-11-20T09:10:00Z")

const overview: Overview = {
  period: { name: "7d", timezone: organization.timezone, from: DateTime.makeUnsafe("2026-11-13T23:00:00Z"), to: asOf },
  previousPeriod: {
    from: DateTime.makeUnsafe("2026-11-06T23:00:00Z"),
    to: DateTime.makeUnsafe("2026-11-13T09:00:00Z")
  },
  asOf,
  state: "current",
  current,
  previous,
  change: changesOf(current, previous),
  days: [{ date: "2026-11-14", complete: true, ...figures(0.15, { open: 60, waiting: 9 }) }],
  load: {
    unassigned: { open: 7, waiting: 3 },
    agents: [{ id: ada.id, name: ada.name, open: 9, waiting: 2 }]
  }
}

export const analytics: ExamplesOf<typeof AnalyticsApi> = {
  overview: { runs: readOverview, answer: overview }
}
