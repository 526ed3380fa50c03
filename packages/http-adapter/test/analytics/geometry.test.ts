import { assert, describe, it } from "@effect/vitest"
import { among } from "@parley/testkit"
import { Arbitrary, DateTime, Schema } from "effect"
import type { Agents, BroadcastFigures, Costs, LiveWorkload, Overview, Series } from "@parley/domain/analytics"
import {
  agentsChart,
  broadcastsChart,
  costsChart,
  heatmapChart,
  liveChart,
  overviewChart,
  seriesChart
} from "../../src/server/analytics/charts.ts"
import { bucketTicks } from "../../src/server/analytics/chartTexts.ts"
import type { Panel } from "../../src/server/analytics/charts/Panel.ts"
import { drawChart, type Look } from "../../src/server/analytics/charts/drawChart.ts"
import { letter, widthOf } from "../../src/server/analytics/charts/text.ts"
import { type Measure, shown, stepsOf } from "../../src/server/analytics/charts/values.ts"
import * as examples from "../../src/server/examples/analytics.ts"

interface Box {
  readonly name: string
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

const tolerance = 0.02

const unescaped = (text: string) =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")

/** Boxes of the texts of a markup. A letter is at most 0.76 of its size above the baseline, and 0.24 below it. */
const textsOf = (markup: string): ReadonlyArray<Box> =>
  [
    ...markup.matchAll(
      /<text class="text" x="([^"]+)" y="([^"]+)" text-anchor="([^"]+)" font-size="[^"]+">([^<]*)<\/text>/gu
    )
  ]
    .map(([, x, y, anchor, content = ""]): Box => {
      const name = unescaped(content)
      const width = name.trim() === "" ? 0 : widthOf(name)
      const left = Number(x) - (anchor === "start" ? 0 : anchor === "end" ? width : width / 2)
      const baseline = Number(y)
      return { name, left, right: left + width, top: baseline - letter * 0.76, bottom: baseline + letter * 0.24 }
    })
    .filter(({ left, right }) => right > left)

const rectOf = (name: string, [x = 0, y = 0, width = 0, height = 0]: ReadonlyArray<number>): Box => ({
  name,
  left: x,
  right: x + width,
  top: y,
  bottom: y + height
})

const barsOf = (markup: string): ReadonlyArray<Box> =>
  [...markup.matchAll(/<rect class="fill\d" x="([^"]+)" y="([^"]+)" width="([^"]+)" height="([^"]+)"\/>/gu)].map(
    ([, ...numbers]) => rectOf("bar", numbers.map(Number))
  )

const overlap = (one: Box, other: Box) =>
  one.left < other.right - tolerance &&
  other.left < one.right - tolerance &&
  one.top < other.bottom - tolerance &&
  other.top < one.bottom - tolerance

const isWithin = (inner: Box, outer: Box) =>
  inner.left >= outer.left - tolerance &&
  inner.right <= outer.right + tolerance &&
  inner.top >= outer.top - tolerance &&
  inner.bottom <= outer.bottom + tolerance

const overlaps = (boxes: ReadonlyArray<Box>): ReadonlyArray<string> =>
  boxes.flatMap((one, index) =>
    boxes.slice(index + 1).flatMap((other) => (overlap(one, other) ? [`overlap: ${JSON.stringify([one, other])}`] : []))
  )

const cut = (boxes: ReadonlyArray<Box>, outer: Box): ReadonlyArray<string> =>
  boxes.flatMap((box) => (isWithin(box, outer) ? [] : [`cut: ${JSON.stringify([box, outer])}`]))

/** Splits an image into its panels and the rest. */
const partsOf = (drawn: string) => {
  const panels = [
    ...drawn.matchAll(/<svg x="([^"]+)" y="([^"]+)" width="([^"]+)" height="([^"]+)" viewBox="[^"]+">(.*?)<\/svg>/gsu)
  ].map(([, x, y, width, height, content = ""]) => ({
    area: rectOf("panel", [x, y, width, height].map(Number)),
    content
  }))
  return { panels, heading: drawn.slice(0, drawn.indexOf("<svg x=") < 0 ? undefined : drawn.indexOf("<svg x=")) }
}

const maximumThickness = 22

/** Everything that is cut, overlaps or is too thick. */
const faultsOf = (drawn: string, { height, width }: Look): ReadonlyArray<string> => {
  const image = rectOf("image", [0, 0, width, height])
  const { heading, panels } = partsOf(drawn)
  const areas = panels.map(({ area }) => area)
  return [
    ...overlaps(areas),
    ...cut(areas, image),
    ...overlaps([...textsOf(heading), ...panels.flatMap(({ content }) => textsOf(content))]),
    ...cut(textsOf(heading), image),
    ...panels.flatMap(({ area, content }) => {
      const [bars, texts] = [barsOf(content), textsOf(content)]
      const thick = bars.filter(({ bottom, top }) => bottom - top > maximumThickness)
      const covered = texts.filter((text) => bars.some((bar) => overlap(bar, text)))
      return [
        ...cut([...bars, ...texts], area),
        ...overlaps(bars),
        ...thick.map((bar) => `thick: ${JSON.stringify(bar)}`),
        ...covered.map((text) => `on a bar: ${JSON.stringify(text)}`)
      ]
    })
  ]
}

const names = ["Ada Lovelace", "WWW MMM Support", "李小龍", "Maximilian Mustermann-Schneider", "محمد علي", "Jo"]
const nameOf = (index: number) => `${names[index % names.length] ?? ""} ${index}`
const wave = (index: number) => 50 + 40 * Math.round(Math.sin(index / 2) * 10) + ((index * 37) % 23)

const dayBefore = (days: number) =>
  DateTime.formatIsoDateUtc(DateTime.subtract(DateTime.makeUnsafe("2026-11-20T00:00:00Z"), { days }))
const daysOf = (count: number) => Array.from({ length: count }, (_, index) => dayBefore(count - 1 - index))
const hoursOf = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    DateTime.formatIso(DateTime.subtract(DateTime.makeUnsafe("2026-11-20T09:00:00Z"), { hours: count - 1 - index }))
  )

const overview = (count: number): Overview => ({
  ...examples.overview,
  days: daysOf(count).map((date, index) => ({
    date,
    complete: index < count - 1,
    ...examples.figures(Math.abs(wave(index)) / 300, { open: 60, waiting: 9 })
  }))
})

const series = (by: Series["by"], buckets: ReadonlyArray<string>): Series => ({
  ...examples.series,
  from: dayBefore(buckets.length - 1),
  by,
  buckets,
  series: [
    ...(["conversations.opened", "messages.outbound.byAuthor.automation", "contacts.unsubscribed"] as const).map(
      (figure) => ({ figure, unit: "count" as const, values: buckets.map((_, index) => wave(index)) })
    ),
    { figure: "reply.medianSeconds", unit: "seconds", values: buckets.map((_, index) => Math.abs(wave(index)) * 60) },
    { figure: "broadcasts.readRate", unit: "rate", values: buckets.map((_, index) => (index % 20) / 20) }
  ]
})

const agents = (count: number): Agents => ({
  ...examples.agents,
  data: examples.agents.data.flatMap((agent) =>
    Array.from({ length: count }, (_, index) => ({ ...agent, name: nameOf(index), replies: 400 - index }))
  )
})

const broadcasts = (count: number): BroadcastFigures => ({
  ...examples.broadcasts,
  data: examples.broadcasts.data.flatMap((broadcast) =>
    Array.from({ length: count }, (_, index) => ({ ...broadcast, name: nameOf(index), readRate: index / count }))
  )
})

const costs = (by: Costs["by"], keys: ReadonlyArray<string | null>): Costs => ({
  ...examples.costs,
  by,
  rows: keys.map((key, index) => ({
    key,
    name: null,
    currency: examples.costs.total.currency,
    amount: 588_113_000 / (index + 1),
    messages: 10,
    free: 0,
    withoutRate: 0
  }))
})

const live = (count: number): LiveWorkload => ({
  ...examples.live,
  waiting: { ...examples.live.waiting, steps: examples.live.waiting.steps.map((step) => ({ ...step, count })) }
})

const countries = ["DE", "VC", null, "BA", "US"]

const charts: Readonly<Record<string, (count: number, look: Look) => string>> = {
  overview: (count, look) => overviewChart(overview(count), examples.costs.total.currency, look),
  "a series by day": (count, look) => seriesChart(series("day", daysOf(count)), look),
  "a series by hour": (count, look) => seriesChart(series("hour", hoursOf(count)), look),
  agents: (count, look) => agentsChart(agents(count), look),
  broadcasts: (count, look) => broadcastsChart(broadcasts(count), look),
  "costs by day": (count, look) => costsChart(costs("day", daysOf(count)), look),
  "costs by country": (count, look) =>
    costsChart(
      costs(
        "country",
        Array.from({ length: count }, (_, index) => countries[index % 5] ?? null)
      ),
      look
    ),
  heatmap: (count, look) =>
    heatmapChart(
      { ...examples.heatmap, values: examples.heatmap.values.map((hours) => hours.map((each) => each * count)) },
      look
    ),
  live: (count, look) => liveChart(live(count), look)
}

describe("the geometry of a chart", () => {
  for (const [name, draw] of Object.entries(charts)) {
    it.each([1, 3, 20, 100])(`has nothing cut and no overlap: ${name} with %i rows`, (count) => {
      for (const width of [320, 480, 960, 1_440, 2_000]) {
        for (const height of [200, 480, 1_200]) {
          const look = { width, height, theme: "light" } as const
          assert.deepStrictEqual(faultsOf(draw(count, look), look), [])
        }
      }
    })
  }

  const text = among([
    "opened",
    "Maximilian Mustermann-Schneider",
    "李".repeat(60),
    "W".repeat(300),
    "",
    "a b ".repeat(40)
  ])
  const panels = Arbitrary.array(
    Arbitrary.map(
      Arbitrary.all({
        kind: among(["lines", "bars", "grid"] as const),
        title: text,
        unit: among(["count", "seconds", "rate", "money"] as const),
        labels: Arbitrary.array(text, { maxLength: 40 }),
        names: Arbitrary.array(text, { maxLength: 12 }),
        values: Arbitrary.array(among([null, 0, 1, 61, -12_000, 0.5, 1e15, 2_147_483_647]), { maxLength: 60 }),
        isUnfinished: among([true, false]),
        hasMore: among([true, false]),
        remark: among([undefined, "Not included: 3 messages without a rate."])
      }),
      ({ hasMore, isUnfinished, kind, labels, names: rows, remark, title, unit, values }): Panel => ({
        kind,
        title,
        measure: unit === "money" ? { unit, currency: "EUR" } : { unit },
        labels,
        // Charts have at most three bars in a group.
        rows: rows
          .slice(0, kind === "bars" ? 3 : undefined)
          .map((name, index) => ({ name, values: values.slice(index) })),
        isUnfinished,
        hasMore,
        ...(remark !== undefined && { note: remark })
      })
    ),
    { maxLength: 6 }
  )
  const sizes = Arbitrary.all({
    width: Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 320, maximum: 2_000 }))),
    height: Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 200, maximum: 1_200 }))),
    theme: among(["light", "dark", "auto"] as const)
  })

  it.prop(
    "has nothing cut and no overlap, for every size and input",
    { look: sizes, panels },
    ({ look, panels: drawn }) => {
      assert.deepStrictEqual(
        faultsOf(drawChart({ title: "Figures", range: "14 Nov to 20 Nov 2026" }, drawn, look), look),
        []
      )
    },
    { arbitrary: { runs: 200, size: 12, seed: "geometry" } }
  )
})

describe("the axes of a chart", () => {
  const measures: ReadonlyArray<Measure> = [
    { unit: "count" },
    { unit: "rate" },
    { unit: "money", currency: "EUR" },
    { unit: "seconds" }
  ]
  const durations = new Set([1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200])

  it.prop(
    "have one to four round and distinct values, which include every value",
    {
      measure: among(measures),
      most: among([1, 2, 3, 4]),
      high: Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5_000_000 }))),
      power: among([0, 1, 3])
    },
    ({ high, measure, most, power }) => {
      const value = measure.unit === "rate" ? high / 5_000_000 : high / 10 ** power
      const steps = stepsOf([value], measure, most)
      const [first = 0, second = 0] = steps
      const size = second - first
      assert.isAtMost(steps.length, most + 1)
      assert.strictEqual(first, 0)
      assert.isAtLeast((steps.at(-1) ?? 0) + 1e-9, value)
      assert.strictEqual(new Set(steps.map((step) => shown(step, measure))).size, steps.length)
      const isRound = /^[125](?:0*|e[+-]\d+)$/u.test(
        String(
          Number(
            (measure.unit === "seconds" ? size / 86_400 : measure.unit === "rate" ? size * 1_000 : size).toFixed(6)
          )
        )
      )
      assert.isTrue(isRound || (measure.unit === "seconds" && durations.has(size)), String(size))
    },
    { arbitrary: { runs: 300, seed: "axes" } }
  )

  it("step by 1, 2, 3, 6 or 12 local hours, also on the days of a clock change", () => {
    for (const [zone, first] of [
      ["Europe/Berlin", "2026-10-23T22:00:00Z"],
      ["Asia/Kolkata", "2026-10-23T18:30:00Z"],
      ["America/New_York", "2026-10-31T04:00:00Z"]
    ] as const) {
      const start = DateTime.makeUnsafe(first)
      const hours = Array.from({ length: 72 }, (_, index) => DateTime.formatIso(DateTime.add(start, { hours: index })))
      const sets = bucketTicks(hours, "hour", DateTime.zoneMakeNamedUnsafe(zone))
      const steps = sets.slice(0, 5).map((ticks) => {
        const times = ticks.map(({ label }) => (label.includes(":") ? Number(label.slice(0, 2)) : 0))
        assert.isTrue(
          ticks.every(({ label }) => /^(?:\d\d:00|\d+ (?:Oct|Nov))$/u.test(label)),
          zone
        )
        return [1, 2, 3, 6, 12].findLast((step) => times.every((time) => time % step === 0))
      })
      assert.deepStrictEqual(steps, [1, 2, 3, 6, 12], zone)
    }
  })

  it("label the first days of months when days and weeks are too close", () => {
    const sets = bucketTicks(daysOf(100), "day", DateTime.zoneMakeNamedUnsafe("UTC"))
    assert.deepStrictEqual(
      sets.at(4)?.map(({ label }) => label),
      ["1 Sep", "1 Oct", "1 Nov"]
    )
  })
})
