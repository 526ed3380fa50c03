import { assert, describe, it } from "@effect/vitest"
import { Currency, type Money } from "@parley/domain/kernel"
import { Timezone } from "@parley/domain/platform"
import { BroadcastId } from "@parley/domain/campaigns"
import {
  BroadcastFigures,
  type Costs,
  CountedAuthor,
  CountedKind,
  type Figures,
  type Overview,
  type Series
} from "@parley/domain/analytics"
import { DateTime, Schema } from "effect"
import { costsChart, liveChart, overviewChart, seriesChart } from "../../src/server/analytics/charts.ts"
import { broadcastsTable, overviewTable, seriesTable } from "../../src/server/analytics/tables.ts"
import { costs, live } from "../../src/server/examples/analytics.ts"

const light = { width: 960, height: 480, theme: "light" } as const
const eur = Schema.decodeSync(Currency)("EUR")
const berlin = Schema.decodeSync(Timezone)("Europe/Berlin")
const at = DateTime.makeUnsafe("2026-11-21T23:10:00Z")

const money = (amountMinor: number): Money => ({ amountMinor, currency: eur })

const each = <Key extends string>(keys: ReadonlyArray<Key>, value: number) =>
  Object.fromEntries(keys.map((key) => [key, value])) as Readonly<Record<Key, number>>

/** Figures that differ by where they stand. */
const figures = (n: number): Figures => {
  const duration = { count: n, medianSeconds: n === 0 ? null : 180 + n, p90Seconds: n === 0 ? null : 900 }
  return {
    conversations: { opened: n, reopened: 1, resolved: n + 2, resolvedByMachine: 3, open: 4, waiting: 5 },
    messages: {
      inbound: { total: 10 * n, byKind: each(CountedKind.literals, n) },
      outbound: { total: 20, byKind: each(CountedKind.literals, 6), byAuthor: each(CountedAuthor.literals, 7) },
      failed: 8
    },
    firstResponse: duration,
    reply: duration,
    resolution: duration,
    contacts: { new: 9, imported: 10, active: 11, unsubscribed: 12 },
    broadcasts: {
      started: 0,
      sent: 0,
      delivered: 0,
      read: 0,
      replied: 0,
      deliveredRate: null,
      readRate: null,
      repliedRate: null
    },
    commerce: {
      orders: 13,
      revenue: [
        {
          currency: eur,
          gross: money(5_000),
          refunded: money(200),
          net: money(4_800),
          attributedOrders: 1,
          attributed: money(300)
        }
      ]
    }
  }
}

const overview: Overview = {
  period: { name: "7d", timezone: berlin, from: at, to: at },
  previousPeriod: { from: at, to: at },
  asOf: at,
  state: "current",
  current: figures(2),
  previous: figures(1),
  change: { ...figures(0), commerce: { orders: null, revenue: [] } },
  days: [
    { date: "2026-11-20", complete: true, ...figures(2) },
    { date: "2026-11-21", complete: false, ...figures(0) }
  ],
  load: { unassigned: { open: 7, waiting: 3 }, agents: [] }
}

const series: Series = {
  timezone: berlin,
  asOf: at,
  state: "current",
  from: "2026-11-20",
  to: "2026-11-21",
  by: "day",
  buckets: ["2026-11-20", "2026-11-21"],
  series: [
    { figure: "conversations.resolvedByMachine", unit: "count", values: [61, 0] },
    { figure: "messages.outbound.byAuthor.phone_app", unit: "count", values: [5, 7] },
    { figure: "commerce.net", unit: "money", currency: eur, values: [1_200, -300] },
    { figure: "reply.medianSeconds", unit: "seconds", values: [90, null] }
  ]
}

describe("an answer of analytics", () => {
  it("as a table has of an overview the period, the one before and the change, then the days", () => {
    const { header, rows } = overviewTable(overview)
    assert.deepStrictEqual(header, ["date", "figure", "currency", "value"])
    const dates = [...new Set(rows.map(({ date }) => date))]
    assert.deepStrictEqual(dates, ["total", "previous", "change", "2026-11-20", "2026-11-21"])
    const of = (date: string, figure: string) =>
      rows
        .filter((row) => row["date"] === date && row["figure"] === figure)
        .map(({ currency, value }) => [currency, value])
    assert.deepStrictEqual(of("total", "conversations.resolved"), [["", "4"]])
    assert.deepStrictEqual(of("previous", "messages.inbound.byKind.text"), [["", "1"]])
    assert.deepStrictEqual(of("change", "firstResponse.medianSeconds"), [["", ""]])
    assert.deepStrictEqual(of("2026-11-20", "commerce.net"), [["EUR", "4800"]])
    assert.deepStrictEqual(of("2026-11-21", "commerce.attributedOrders"), [["EUR", "1"]])
    assert.deepStrictEqual(of("2026-11-21", "broadcasts.readRate"), [["", ""]])
    assert.isFalse(rows.some(({ figure }) => figure === "complete"))
  })

  it("as a table has of series a line for each bucket", () => {
    const { header, rows } = seriesTable(series)
    assert.deepStrictEqual(header.slice(2), [
      "messages.outbound.byAuthor.phone_app",
      "commerce.net.EUR",
      "reply.medianSeconds"
    ])
    assert.deepStrictEqual(
      rows.map((row) => header.map((name) => row[name])),
      [
        ["2026-11-20", "61", "5", "1200", "90"],
        ["2026-11-21", "0", "7", "-300", ""]
      ]
    )
  })

  it("a table of broadcasts has a column for each currency with revenue", () => {
    const range = { timezone: berlin, asOf: at, state: "current", from: "2026-11-20", to: "2026-11-21" } as const
    const row = {
      id: BroadcastId.make("019dfc1d-9023-70ef-8152-d1ccaf1742e9"),
      name: "=Sale",
      status: "completed",
      startedAt: at,
      ...each(["matched", "failed", "inDoubt", "optedOut", "sent", "delivered", "read", "replied"], 3),
      deliveredRate: 1,
      readRate: 0.5,
      repliedRate: null,
      attributedOrders: 2,
      attributed: [money(700)]
    } as const
    const table = broadcastsTable(
      BroadcastFigures.make({ ...range, data: [row, { ...row, attributed: [] }], nextCursor: null })
    )
    assert.deepStrictEqual(
      table.rows.map((each) => [each["name"], each["repliedRate"], each["attributed.EUR"]]),
      [
        ["=Sale", "", "700"],
        ["=Sale", "", "0"]
      ]
    )
  })

  it("as a chart has the four panels of an overview, and a panel for each unit of series", () => {
    const drawn = overviewChart(overview, eur, light)
    for (const title of ["Conversations", "Messages", "Median first response", "Net revenue in EUR"]) {
      assert.include(drawn, `>${title}</text>`)
    }
    assert.include(drawn, "20 Nov to 21 Nov 2026: total €96, least €48, most €48.")
    const lines = seriesChart(series, light)
    for (const title of ["Count", "Net revenue, EUR", "Median reply time"]) assert.include(lines, `>${title}</text>`)
    assert.include(lines, ">Conversations resolved by machines</text>")
  })

  it("as a chart labels hours in the time zone of the organization", () => {
    const buckets = ["2026-11-20T14:00:00.000Z", "2026-11-20T15:00:00.000Z"]
    const drawn = seriesChart({ ...series, timezone: berlin, by: "hour", buckets }, light)
    assert.include(drawn, ">16:00</text>")
    assert.include(drawn, " in Europe/Berlin</text>")
    assert.notInclude(drawn, ":00.000Z")
  })

  it("as a chart names the local time of the live workload", () => {
    const drawn = liveChart({ ...live, timezone: berlin }, light)
    assert.include(drawn, ">Waiting conversations, 20 Nov 2026, 10:10 in Europe/Berlin</text>")
    assert.notMatch(drawn, />[^<]*\d{4}-\d\d-\d\d/u)
  })

  it("as a chart of costs explains missing amounts, and how to set rates", () => {
    const drawnWith = (total: Partial<Costs["total"]>) =>
      costsChart({ ...costs, total: { ...costs.total, amount: 0, ...total }, rows: [] }, { ...light, width: 1_440 })
    assert.include(
      drawnWith({ messages: 120, free: 10, withoutRate: 110 }),
      ">No rates in EUR are set for 110 messages. The operator sets rates with &quot;parley rate-cards import&quot;.</text>"
    )
    assert.include(drawnWith({ messages: 120, free: 120, withoutRate: 0 }), ">All messages of this period were free.<")
    assert.include(drawnWith({ messages: 0, free: 0, withoutRate: 0 }), ">No messages were delivered in this period.<")
    const partly = costsChart(costs, light)
    assert.include(partly, ">Not included: 2 messages without a rate.</text>")
  })

  it("as a chart of costs names countries and chat accounts, and marks the unfinished day", () => {
    const [row] = costs.rows
    const rowOf = (key: string, name: string | null) => (row === undefined ? [] : [{ ...row, key, name }])
    assert.include(costsChart({ ...costs, by: "country", rows: rowOf("DE", null) }, light), ">Germany</text>")
    const id = "01934bd0-1a2b-7c3d-8e4f-506172839405"
    const account = costsChart({ ...costs, by: "chat_account", rows: rowOf(id, "Support") }, light)
    assert.include(account, ">Support</text>")
    assert.notInclude(account, id)
    const days = costsChart({ ...costs, by: "day", rows: rowOf("2026-11-20", null) }, light)
    assert.include(days, ">so far</text>")
    const ended = costsChart({ ...costs, to: "2026-11-19", by: "day", rows: rowOf("2026-11-19", null) }, light)
    assert.notInclude(ended, ">so far</text>")
  })
})
