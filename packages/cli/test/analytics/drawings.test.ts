import { assert, describe, it } from "@effect/vitest"
import { Currency } from "@parley/domain/kernel"
import {
  AgentRow,
  BroadcastRow,
  Heatmap,
  LiveWorkload,
  type Overview,
  Series,
  sumFigures,
  toFigureChanges,
  toFigures
} from "@parley/domain/analytics"
import { DateTime, Schema } from "effect"
import { CliOutput } from "effect/cli"
import { drawnHeatmap, drawnSeries } from "../../src/commands/analytics/charts.ts"
import { duration, shown } from "../../src/commands/analytics/drawing.ts"
import { drawnLive, drawnOverview } from "../../src/commands/analytics/overview.ts"
import { agentsTable, broadcastsTable } from "../../src/commands/analytics/rankings.ts"

const range = {
  timezone: "Europe/Berlin",
  from: "2026-11-20",
  to: "2026-11-22",
  asOf: "2026-11-22T10:00:00Z",
  state: "current"
}

const series = (more: object) => Schema.decodeSync(Schema.toCodecJson(Series))({ ...range, by: "day", ...more })

const widthOf = (text: string) => Math.max(...text.split("\n").map((line) => CliOutput.displayWidth(line)))

describe("drawings of analytics", () => {
  it("draw one figure as bars, a line for each bucket", () => {
    const drawn = drawnSeries(
      series({
        buckets: ["2026-11-20", "2026-11-21", "2026-11-22"],
        series: [{ figure: "firstResponse.medianSeconds", unit: "seconds", values: [30, null, 120] }]
      })
    )
    assert.deepStrictEqual(drawn.split("\n"), [
      "2026-11-20 to 2026-11-22, Europe/Berlin, by day",
      "",
      "firstResponse.medianSeconds",
      "",
      "FROM        VALUE",
      `2026-11-20   30 s  ${"█".repeat(15)}`,
      "2026-11-21      –",
      `2026-11-22  2 min  ${"█".repeat(61)}`
    ])
    assert.strictEqual(widthOf(drawn), 80)
  })

  it("draw several figures as a letter for each bucket, in as many lines as they need", () => {
    const buckets = Array.from({ length: 168 }, (_, hour) => `2026-11-20T${String(hour % 24).padStart(2, "0")}:00:00Z`)
    const drawn = drawnSeries(
      series({
        by: "hour",
        buckets,
        series: [
          { figure: "messages.outbound.byAuthor.automation", unit: "count", values: buckets.map((_, hour) => hour) },
          { figure: "broadcasts.readRate", unit: "rate", values: buckets.map(() => null) }
        ]
      })
    )
    assert.include(drawn, "messages.outbound.byAuthor.automation: least 0, most 167\n▁▁▁▁")
    assert.include(drawn, "broadcasts.readRate: least –, most –")
    assert.strictEqual(widthOf(drawn), 80)
  })

  it("name the currency of figures that are of one currency", () => {
    const row = (figure: string, unit: string) => ({ figure, unit, currency: "USD", values: [1_200] })
    const drawn = (...rows: ReadonlyArray<object>) => drawnSeries(series({ buckets: ["2026-11-20"], series: rows }))
    assert.include(drawn(row("commerce.attributedOrders", "count")), "\n\ncommerce.attributedOrders, USD\n\n")
    const several = drawn(row("commerce.net", "money"), row("commerce.attributedOrders", "count"))
    assert.include(several, "commerce.net, USD: least 12.00 USD")
    assert.include(several, "commerce.attributedOrders, USD: least 1200,")
  })

  it("show the revenue in each currency, in units of the currency", () => {
    const figures = (amounts: Readonly<Record<string, number>>) =>
      toFigures(
        sumFigures(Object.entries(amounts).map(([figure, amount]) => ({ figure, steps: [0], amounts: [amount] }))),
        { open: 0, waiting: 0 },
        Array.from(new Set(Object.keys(amounts).map((name) => Currency.make(name.slice(-3)))))
      )
    const [current, previous] = [
      figures({
        "commerce.gross.EUR": 123_456_789,
        "commerce.refunded.EUR": 9_900,
        "commerce.attributed.EUR": 58_400,
        "commerce.gross.JPY": 1_200
      }),
      figures({ "commerce.gross.EUR": 100_000_000 })
    ]
    const asOf = DateTime.makeUnsafe("2026-11-20T09:10:00Z")
    const overview: Overview = {
      period: { name: "30d", timezone: "Europe/Berlin", from: asOf, to: asOf },
      previousPeriod: { from: asOf, to: asOf },
      asOf,
      state: "current",
      current,
      previous,
      change: toFigureChanges(current, previous),
      days: Array.from({ length: 30 }, (_, day) => ({
        date: `2026-11-${String(day + 1).padStart(2, "0")}`,
        complete: true,
        ...(day === 29 ? current : previous)
      })),
      load: { unassigned: { open: 0, waiting: 0 }, agents: [] }
    }
    const drawn = drawnOverview(overview)
    const lines = drawn.split("\n")
    assert.match(lines.find((line) => line.startsWith("gross, EUR")) ?? "", /1234567\.89 +1000000\.00 +23% +▇/u)
    assert.match(lines.find((line) => line.startsWith("refunded, EUR")) ?? "", /99\.00 +0\.00 +–/u)
    assert.match(lines.find((line) => line.startsWith("net, EUR")) ?? "", /1234468\.89 +1000000\.00 +23%/u)
    assert.match(lines.find((line) => line.startsWith("attributed, EUR")) ?? "", /584\.00 +0\.00 +–/u)
    assert.match(lines.find((line) => line.startsWith("gross, JPY")) ?? "", /1200 +0 +–/u)
    assert.isAtMost(widthOf(drawn), 80)
  })

  it("say money in its currency, and durations in the largest unit that fits", () => {
    assert.deepStrictEqual(
      [shown(-58_405, "money", "EUR"), shown(1_200, "money", "JPY"), shown(0.9637, "rate"), shown(null, "count")],
      ["-584.05 EUR", "1200 JPY", "96.4%", "–"]
    )
    assert.deepStrictEqual([59, 187, 12_600, 259_200, null].map(duration), ["59 s", "3 min", "3.5 h", "3 d", "–"])
  })

  it("shortens long names of members and marks former members", () => {
    const durations = { count: 1_000_000, medianSeconds: 171_000, p90Seconds: 171_000 }
    const row = (name: string, status: string) =>
      Schema.decodeSync(Schema.toCodecJson(AgentRow))({
        id: "01934a10-61a8-7d22-9e4c-1b2c3d4e5f60",
        name,
        status,
        sent: 99_999,
        replies: 100_000,
        resolved: 100_000,
        open: 9_999,
        waiting: 9_999,
        firstResponse: durations,
        reply: durations,
        resolution: durations
      })
    const drawn = agentsTable([row("Ada Lovelace, Countess of Lovelace", "active"), row("李\u001B[2J清照", "former")])
    assert.isAtMost(widthOf(drawn), 80)
    assert.include(drawn, "Ada Love")
    assert.include(drawn, "former:")
    assert.notInclude(drawn, "\u001B")
  })

  it("say when a broadcast started by the organization's calendar", () => {
    const row = Schema.decodeSync(Schema.toCodecJson(BroadcastRow))({
      id: "01934bd0-1a2b-7c3d-8e4f-506172839405",
      name: "A sale of everything that was left over from summer and from spring",
      status: "completed",
      startedAt: "2026-11-20T23:30:00Z",
      matched: 1_000_000,
      failed: 10_000,
      inDoubt: 0,
      optedOut: 6,
      sent: 1_000_000,
      delivered: 963_700,
      read: 0,
      replied: 0,
      deliveredRate: 0.9637,
      readRate: 0,
      repliedRate: null,
      attributedOrders: 12,
      attributed: []
    })
    const drawn = broadcastsTable([row], range)
    assert.match(drawn, /^A sale of .*…  2026-11-21  1000000      96\.4%    0%        –   10000      12$/m)
    assert.strictEqual(widthOf(drawn), 80)
  })

  it("shade the usual hours of the week, each by how often it was", () => {
    const grid = (of: (day: number, hour: number) => number) =>
      Array.from({ length: 7 }, (_, day) => Array.from({ length: 24 }, (_, hour) => of(day, hour)))
    const heatmap = (values: ReadonlyArray<ReadonlyArray<number>>) =>
      Schema.decodeSync(Schema.toCodecJson(Heatmap))({
        ...range,
        figure: "messages.inbound.total",
        values,
        occurrences: grid((day, hour) => (day === 6 && hour === 2 ? 0 : day === 1 ? 2 : 1))
      })
    const drawn = drawnHeatmap(heatmap(grid((day, hour) => (hour === 9 ? (day === 1 ? 16 : day === 2 ? 3 : 1) : 0))))
    assert.include(drawn, `Mon ${"·· ".repeat(9)}░░ ··`)
    assert.include(drawn, `Tue ${"·· ".repeat(9)}██ ··`)
    assert.include(drawn, `Wed ${"·· ".repeat(9)}▒▒ ··`)
    assert.include(drawn, "█ up to 8 in an hour: Tue 09:00")
    assert.isAtMost(widthOf(drawn), 80)
    assert.include(drawnHeatmap(heatmap(grid(() => 0))), "Nothing happened.")
  })

  it("say what there is to do, and how long contacts have waited", () => {
    const live = Schema.decodeSync(Schema.toCodecJson(LiveWorkload))({
      timezone: "Europe/Berlin",
      asOf: "2026-11-22T10:00:00Z",
      state: "current",
      open: 63,
      pending: 4,
      snoozed: 11,
      unassigned: 7,
      waiting: {
        count: 12,
        longestSeconds: 5_412,
        steps: [300, 900, null].map((upToSeconds, index) => ({ upToSeconds, count: 10 - index * 5 }))
      }
    })
    const drawn = drawnLive(live)
    assert.include(drawn, "LONGEST     1.5 h")
    assert.include(drawn, `up to 5 min      10  ${"█".repeat(50)}`)
    assert.match(drawn, /^longer +0$/m)
    assert.isAtMost(widthOf(drawn), 80)
  })
})
