import type { Area, Panel, Row } from "./Panel.ts"
import { lineStyle } from "./legend.ts"
import { element, rounded } from "./markup.ts"
import { letter, lineHeight, widthOf, words } from "./text.ts"
import { evenTicks, placeTicks } from "./ticks.ts"
import { known, shown, stepsOf } from "./values.ts"

type Place = readonly [x: number, y: number]

/** Height of the labels below the lines. */
const axisHeight = letter + 8

/** Height of the smallest drawing: two values, and the labels. */
export const leastLines = axisHeight + 38

const soFar = "so far"

/** Splits points at the gaps. */
const stretchesOf = (places: ReadonlyArray<Place | null>): ReadonlyArray<ReadonlyArray<Place>> =>
  places.reduce<Array<Array<Place>>>(
    (parts, place) => {
      if (place === null) parts.push([])
      else parts.at(-1)?.push(place)
      return parts
    },
    [[]]
  )

const drawLine = (places: ReadonlyArray<Place | null>, index: number): string => {
  const style = { ...lineStyle(index), fill: "none" }
  return stretchesOf(places)
    .map((part) => {
      const [only] = part
      if (only === undefined) return ""
      if (part.length === 1) return element("circle", { class: `fill${index % 4}`, cx: only[0], cy: only[1], r: 2.5 })
      const d = part.map(([x, y], place) => `${place === 0 ? "M" : "L"}${rounded(x)} ${rounded(y)}`).join("")
      return element("path", { ...style, d })
    })
    .join("")
}

/** Marks the time of the last value as unfinished: a band up to it, with a text above the drawing. */
const drawUnfinished = (from: number, to: number, { height, x, y }: Area): string => {
  const band = { class: "band", x: from, y, width: Math.max(1, to - from), height }
  return element("rect", band) + words(soFar, Math.max(to, x + widthOf(soFar)), y - 4, "end")
}

/** Draws lines over time. */
export const drawLines = (panel: Panel, area: Area): string => {
  const { isUnfinished = false, labels, measure, rows, tickSets = evenTicks(labels) } = panel
  const values = rows.flatMap((row: Row) => known(row.values))
  const height = Math.max(1, area.height - axisHeight)
  const mostSteps = Math.max(1, Math.min(4, Math.floor(height / lineHeight)))
  const steps = stepsOf(values, measure, mostSteps)
  const [low, high] = [steps[0] ?? 0, steps.at(-1) ?? 1]
  const left = area.x + Math.min(area.width / 2, Math.max(...steps.map((step) => widthOf(shown(step, measure)))) + 6)
  const width = Math.max(1, area.x + area.width - left - 8)
  const yOf = (value: number) => area.y + height - ((value - low) / (high - low || 1)) * height
  const xOf = (index: number) => left + (labels.length < 2 ? width / 2 : (index * width) / (labels.length - 1))
  const bottom = area.y + height
  const rules = steps.map(
    (step) =>
      element("line", { class: "rule", x1: left, x2: left + width, y1: yOf(step), y2: yOf(step) }) +
      words(shown(step, measure), left - 6, yOf(step) + letter / 3, "end")
  )
  const ticks = placeTicks(tickSets, xOf, left, left + width).map(
    ({ index, label, middle }) =>
      element("line", { class: "rule", x1: xOf(index), x2: xOf(index), y1: bottom, y2: bottom + 4 }) +
      words(label, middle, bottom + letter + 5, "middle")
  )
  const drawn = rows.map((row, index) =>
    drawLine(
      labels.map((_, place): Place | null => {
        const value = row.values[place] ?? null
        return value === null ? null : [xOf(place), yOf(value)]
      }),
      index
    )
  )
  const band = isUnfinished
    ? drawUnfinished(xOf(Math.max(0, labels.length - 2)), xOf(labels.length - 1), { x: left, y: area.y, width, height })
    : ""
  return [band, ...rules, ...ticks, ...drawn].join("")
}
