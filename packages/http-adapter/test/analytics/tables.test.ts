import { assert, describe, it } from "@effect/vitest"
import { Currency, type Money } from "@parley/domain/kernel"
import { Timezone } from "@parley/domain/platform"
import { BroadcastId } from "@parley/domain/campaigns"
import {
  BroadcastFigures,
  CountedAuthor,
  CountedKind,
  type Figures,
  type Overview,
  type Series
} from "@parley/domain/analytics"
import { DateTime, Schema } from "effect"
import { overviewChart, seriesChart } from "../../src/server/analytics/charts.ts"
import { broadcastsTable, overviewTable, seriesTable } from "../../src/server/analytics/tables.ts"

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
    assert.include(drawn, "2026-11-20 to 2026-11-21: total €96, least €48, most €48.")
    const lines = seriesChart(series, light)
    for (const title of ["Count", "Commerce net, EUR", "Reply median seconds"])
      assert.include(lines, `>${title}</text>`)
    assert.include(lines, ">Conversations resolved by machine</text>")
  })

  it("as a chart writes hours short, so that they have room", () => {
    const buckets = ["2026-11-20T14:00:00.000Z", "2026-11-20T15:00:00.000Z"]
    const drawn = seriesChart({ ...series, by: "hour", buckets }, light)
    assert.include(drawn, ">20 Nov 15:00Z</text>")
    assert.notInclude(drawn, ":00.000Z")
  })
})
