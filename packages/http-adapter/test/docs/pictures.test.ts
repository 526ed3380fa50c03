import { describe, expect, it } from "@effect/vitest"
import { Currency } from "@parley/domain/kernel"
import { type Figures, toFigures, stepOf, sumFigures } from "@parley/domain/analytics"
import { Schema } from "effect"
import { fileURLToPath } from "node:url"
import { heatmap, overview as week } from "../../src/server/examples/analytics.ts"
import { heatmapChart, overviewChart } from "../../src/server/analytics/charts.ts"

const eur = Schema.decodeSync(Currency)("EUR")

/** Activity of a bakery on the days of a week: least on Sunday. */
const shares = [0.9, 1, 0.95, 1.1, 1.25, 1.3, 0.4]

const figuresOn = (share: number): Figures => {
  const count = (figure: string, amount: number, step = 0) => ({
    figure,
    steps: [step],
    amounts: [Math.round(amount * share)]
  })
  return toFigures(
    sumFigures([
      count("conversations.opened", 60),
      count("conversations.resolved", 56 + 8 * (share - 1)),
      count("messages.inbound.byKind.text", 310),
      count("messages.outbound.byKind.text", 260),
      count("messages.outbound.byAuthor.user", 260),
      count("firstResponse", 50, stepOf(Math.round(240 / share))),
      count("commerce.orders", 12),
      count("commerce.gross.EUR", 58_900),
      count("commerce.refunded.EUR", 1_400)
    ]),
    { open: 60, waiting: 9 },
    [eur]
  )
}

const overview = {
  ...week,
  days: shares.map((share, day) => ({ date: `2026-11-${14 + day}`, complete: day < 6, ...figuresOn(share) }))
}

/** Width of a column of the site. */
const look = { width: 660, height: 440, theme: "auto" } as const

const fileOf = (name: string) => fileURLToPath(new URL(`../../site/pictures/${name}.svg`, import.meta.url))

// `vitest -u` redraws them.
describe("a picture in the guides", () => {
  it("is the overview as it is drawn now", () =>
    expect(`${overviewChart(overview, eur, look)}\n`).toMatchFileSnapshot(fileOf("overview")))

  it("is the heatmap as it is drawn now", () =>
    expect(`${heatmapChart(heatmap, { ...look, height: 300 })}\n`).toMatchFileSnapshot(fileOf("heatmap")))
})
