import { assert, describe, it } from "@effect/vitest"
import { among } from "@parley/testkit"
import { Arbitrary, Schema } from "effect"
import type { Panel } from "../../src/server/analytics/charts/Panel.ts"
import { drawChart } from "../../src/server/analytics/charts/drawChart.ts"
import { palettes } from "../../src/server/analytics/charts/theme.ts"

/** Fails if a text is not well-formed XML: unmatched tags, unquoted attributes or unescaped markup characters. */
const checkXml = (text: string) => {
  const open: Array<string> = []
  const tag = /<(\/?)([a-z]+)((?: [A-Za-z0-9:-]+="[^"<]*")*)(\/?)>/uy
  let place = 0
  while (place < text.length) {
    if (text[place] === "<") {
      tag.lastIndex = place
      const found = tag.exec(text)
      if (found === null) return assert.fail(`No tag at ${text.slice(place, place + 80)}`)
      const [whole, isEnd, name = "", attributes = "", isAlone] = found
      const names = [...attributes.matchAll(/ ([A-Za-z0-9:-]+)="/gu)].map(([, each]) => each)
      assert.strictEqual(new Set(names).size, names.length, whole)
      if (isEnd === "/") assert.strictEqual(open.pop(), name)
      else if (isAlone !== "/") open.push(name)
      place += whole.length
    } else {
      const next = text.indexOf("<", place)
      const words = text.slice(place, next < 0 ? undefined : next)
      assert.notMatch(words.replaceAll(/&(?:amp|lt|gt|quot|#39);/gu, ""), /[[&>\p{Cc}\ufffe\uffff]--[\t\n\r]]/v)
      assert.isAbove(open.length, 0)
      place += words.length
    }
  }
  assert.deepStrictEqual(open, [])
  assert.isTrue(text.isWellFormed())
}

const hostile = [
  "]]><script>alert(1)</script>",
  '" onload="alert(1)',
  "'&amp;<!--",
  "\u0000\u001b\ud800 \ufffe",
  "مرحبا",
  "",
  "a".repeat(300),
  "</title><style>@import 'x'"
]

const value = among([null, 0, 1, 61, -12_000, 0.5, 1e15, Number.MIN_VALUE, -1e-9, 2_147_483_647])

const panels: Arbitrary.Arbitrary<ReadonlyArray<Panel>> = Arbitrary.array(
  Arbitrary.map(
    Arbitrary.all({
      kind: among(["lines", "bars", "grid"] as const),
      title: among(hostile),
      unit: among(["count", "seconds", "rate", "money"] as const),
      currency: among(["EUR", "JPY", "KWD"]),
      labels: Arbitrary.array(among(["2026-11-20", ...hostile]), { maxLength: 40 }),
      names: Arbitrary.array(among(["opened", ...hostile]), { maxLength: 7 }),
      values: Arbitrary.array(value, { maxLength: 60 })
    }),
    ({ currency, kind, labels, names, title, unit, values }): Panel => ({
      kind,
      title,
      measure: unit === "money" ? { unit, currency } : { unit },
      labels,
      // Some rows have fewer values than there are labels, and some more.
      rows: names.map((name, index) => ({ name, values: values.slice(index) }))
    })
  ),
  { maxLength: 5 }
)

const look = Arbitrary.all({
  width: Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 320, maximum: 2_000 }))),
  height: Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 200, maximum: 1_200 }))),
  theme: among(["light", "dark", "auto"] as const)
})

const luminance = (colour: string) => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((place) => {
    const share = Number.parseInt(colour.slice(place, place + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrast = (one: string, other: string) => {
  const [dark = 0, bright = 0] = [luminance(one), luminance(other)].toSorted((first, second) => first - second)
  return (bright + 0.05) / (dark + 0.05)
}

const days: Panel = {
  kind: "lines",
  title: "Conversations",
  measure: { unit: "count" },
  labels: ["2026-11-20", "2026-11-21", "2026-11-22"],
  rows: [
    { name: "opened", values: [61, 0, 70] },
    { name: "resolved", values: [60, null, 66] }
  ]
}

const subject = { title: "Overview", range: "2026-11-20 to 2026-11-22" }
const light = { width: 960, height: 480, theme: "light" } as const

describe("a chart", () => {
  it.prop(
    "is well-formed, loads and runs nothing, and has only valid numbers, for every input",
    { panels, look, title: among(hostile) },
    ({ look, panels, title }) => {
      const drawn = drawChart({ title, range: title }, panels, look)
      checkXml(drawn)
      assert.notMatch(drawn, /NaN|Infinity|undefined/u)
      assert.notMatch(drawn, /<(?:script|link|image|a|use|foreignObject)\b|@font-face|url\(|href/u)
      assert.notMatch(drawn, /(?:width|height|r)="-/u)
      assert.match(drawn, /^<svg [^>]*role="img"/u)
      assert.include(drawn, `width="${look.width}" height="${look.height}"`)
    },
    { arbitrary: { runs: 120, size: 12, seed: "charts" } }
  )

  it("says in words what it shows", () => {
    const drawn = drawChart(subject, [days], light)
    assert.include(drawn, "<title>Overview</title>")
    const input = [
      "Conversations, opened, 2026-11-20 to 2026-11-22: total 131, least 0, most 70.",
      "Conversations, resolved, 2026-11-20 to 2026-11-22: total 126, least 60, most 66."
    ]
    assert.include(drawn, `<desc>${input.join(" ")}</desc>`)
  })

  it("sums drawn and hidden rows of bars in words", () => {
    const values = Array.from({ length: 30 }, (_, index) => index)
    const panel: Panel = {
      kind: "bars",
      title: "Replies",
      measure: { unit: "count" },
      labels: values.map((value) => `Member ${value}`),
      rows: [{ name: "Replies", values }]
    }
    assert.include(drawChart(subject, [panel], light), "total 435, least 0, most 29.</desc>")
  })

  it("dashes its lines differently, and leaves a gap where nothing is known", () => {
    const drawn = drawChart(subject, [days], light)
    assert.include(drawn, 'stroke-dasharray="none"')
    assert.include(drawn, 'stroke-dasharray="7 4"')
    assert.strictEqual(drawn.match(/<circle class="fill1"/gu)?.length, 2)
  })

  it("says where nothing happened", () => {
    const rows = [{ name: "opened", values: [0, 0, null] }]
    assert.include(drawChart(subject, [{ ...days, rows }], light), ">No activity in this period.</text>")
    assert.include(drawChart(subject, [], light), ">No activity in this period.</text>")
  })

  it("shows durations and rates that are 0, because 0 is activity", () => {
    for (const unit of ["seconds", "rate"] as const) {
      const drawnOf = (values: ReadonlyArray<number | null>) =>
        drawChart(subject, [{ ...days, measure: { unit }, rows: [{ name: "reply", values }] }], light)
      assert.notInclude(drawnOf([null, 0, null]), "No activity")
      assert.include(drawnOf([null, null, null]), "No activity")
    }
  })

  it("tells ten lines apart, and names them all in a narrow picture", () => {
    const rows = Array.from({ length: 10 }, (_, index) => ({
      name: `messages outbound by phone app ${index}`,
      values: [index, 10, 3]
    }))
    const drawn = drawChart(subject, [{ ...days, rows }], { width: 390, height: 480, theme: "light" })
    const looks = [...drawn.matchAll(/<path class="(line\d)" stroke-width="2" stroke-dasharray="([^"]+)"/gu)]
    assert.strictEqual(new Set(looks.map(([, colour, dashes]) => `${colour} ${dashes}`)).size, 10)
    for (const { name } of rows) assert.include(drawn, `>${name}</text>`)
  })

  it("has at most 20 groups of bars", () => {
    const labels = Array.from({ length: 30 }, (_, index) => `Agent ${index}`)
    const rows = [{ name: "Replies", values: labels.map((_, index) => 30 - index) }]
    const drawn = drawChart(
      subject,
      [{ kind: "bars", title: "Replies", measure: { unit: "count" }, labels, rows }],
      light
    )
    assert.include(drawn, "Agent 19<")
    assert.notInclude(drawn, "Agent 20<")
  })

  it.prop(
    "keeps its panels apart, and counts the panels that do not fit",
    { panels, look },
    ({ look, panels }) => {
      const drawn = drawChart(subject, panels, look)
      const areas = [...drawn.matchAll(/<svg x="([^"]+)" y="([^"]+)" width="([^"]+)" height="([^"]+)"/gu)].map(
        ([, ...numbers]) => {
          const [x = 0, y = 0, width = 0, height = 0] = numbers.map(Number)
          return { x, y, right: x + width, bottom: y + height }
        }
      )
      for (const [index, one] of areas.entries()) {
        assert.isAtMost(one.right, look.width)
        assert.isAtMost(one.bottom, look.height)
        for (const other of areas.slice(index + 1)) {
          const isApart = one.right <= other.x || other.right <= one.x || one.bottom <= other.y || other.bottom <= one.y
          assert.isTrue(isApart, JSON.stringify([one, other]))
        }
      }
      if (areas.length < panels.length) assert.include(drawn, `${areas.length} of ${panels.length} panels`)
      else assert.lengthOf(areas, panels.length)
    },
    { arbitrary: { runs: 120, size: 12, seed: "panels" } }
  )

  it.each([1, 3, 20, 100])("has bars of at most 22 pixels and readable lines for %i groups", (count) => {
    const labels = Array.from({ length: count }, (_, index) => `Agent ${index}`)
    const rows = ["Delivered", "Read", "Replied"].map((name) => ({ name, values: labels.map(() => 0.5) }))
    for (const height of [200, 480, 1_200]) {
      const panel: Panel = { kind: "bars", title: "Rates", measure: { unit: "rate" }, labels, rows }
      const drawn = drawChart(subject, [panel], { ...light, height })
      const bars = [...drawn.matchAll(/<rect class="fill\d" x="[^"]+" y="([^"]+)" width="[^"]+" height="([^"]+)"/gu)]
      for (const [, , thickness] of bars) assert.isAtMost(Number(thickness), 22)
      for (const [index, [, y]] of bars.slice(1).entries()) {
        assert.isAtLeast(Number(y) - Number(bars[index]?.[1]), 11)
      }
      const shown = bars.length / rows.length
      if (shown < count) assert.include(drawn, `>and ${count - shown} more</text>`)
    }
  })

  it("has a scale below a grid, and values in cells with enough space", () => {
    const labels = Array.from({ length: 24 }, (_, hour) => `${hour}:00`)
    const rows = ["Mon", "Tue"].map((name) => ({ name, values: labels.map((_, hour) => hour * 3) }))
    const grid: Panel = { kind: "grid", title: "Messages", measure: { unit: "count" }, labels, rows }
    const wide = drawChart(subject, [grid], light)
    assert.include(wide, ">66</text>")
    assert.include(wide, ">69 per hour</text>")
    assert.isAtMost(Math.max(...[...wide.matchAll(/fill-opacity="([^"]+)"/gu)].map(([, each]) => Number(each))), 0.4)
    const narrow = drawChart(subject, [grid], { ...light, width: 320 })
    assert.notInclude(narrow, ">66</text>")
    assert.include(narrow, ">198</text>")
    assert.include(narrow, ">198 per 3 hours</text>")
  })

  it("marks a last day that is not over", () => {
    const drawn = drawChart(subject, [{ ...days, isUnfinished: true }], light)
    assert.include(drawn, ">so far</text>")
    assert.include(drawn, '<rect class="band"')
    assert.include(drawn, "The last value is not final.")
    assert.notInclude(drawChart(subject, [days], light), "so far")
  })

  it("has a contrast of 4.5 to 1 in both themes, and follows the page where that is asked", () => {
    for (const { back, lines, text } of Object.values(palettes)) {
      for (const colour of [text, ...lines]) assert.isAtLeast(contrast(colour, back), 4.5, colour)
    }
    const auto = drawChart(subject, [days], { ...light, theme: "auto" })
    assert.include(auto, palettes.light.back)
    assert.include(auto, `@media (prefers-color-scheme:dark){.back{fill:${palettes.dark.back}}`)
  })
})
