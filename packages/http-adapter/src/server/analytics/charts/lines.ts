import { type Area, letter, type Panel, type Row, words } from "./Panel.ts"
import { element, rounded, widthOf } from "./svg.ts"
import { dashes } from "./Theme.ts"
import { known, shown, stepsOf } from "./values.ts"

type Place = readonly [x: number, y: number]

/** Points without a gap between them. */
const stretchesOf = (places: ReadonlyArray<Place | null>): ReadonlyArray<ReadonlyArray<Place>> =>
  places.reduce<Array<Array<Place>>>(
    (parts, place) => {
      if (place === null) parts.push([])
      else parts.at(-1)?.push(place)
      return parts
    },
    [[]]
  )

const line = (places: ReadonlyArray<Place | null>, index: number): string => {
  const style = {
    class: `line${index % 4}`,
    fill: "none",
    "stroke-width": 2,
    "stroke-dasharray": dashes[index % 4] ?? "none"
  }
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

/** As many labels of points as there is room for, at even distances from the first one on. */
const labelled = (labels: ReadonlyArray<string>, width: number): ReadonlyArray<number> => {
  const widest = labels.reduce((most, label) => Math.max(most, widthOf(label, letter)), 1)
  // Those at the ends stand within the drawing, and so half a label nearer to their neighbours.
  const room = Math.max(1, Math.floor(width / (1.5 * widest + 8)))
  const every = Math.max(1, Math.ceil((labels.length - 1) / room))
  return labels.flatMap((_, index) => (index % every === 0 ? [index] : []))
}

/** Lines over time. */
export const drawLines = ({ labels, measure, rows }: Panel, area: Area): string => {
  const values = rows.flatMap((row: Row) => known(row.values))
  const steps = stepsOf(values, measure)
  const [low, high] = [steps[0] ?? 0, steps.at(-1) ?? 1]
  const left =
    area.x + Math.min(area.width / 3, Math.max(...steps.map((step) => widthOf(shown(step, measure), letter))) + 8)
  const [width, height] = [Math.max(1, area.x + area.width - left - 8), Math.max(1, area.height - letter - 8)]
  const yOf = (value: number) => area.y + height - ((value - low) / (high - low || 1)) * height
  const xOf = (index: number) => left + (labels.length < 2 ? width / 2 : (index * width) / (labels.length - 1))
  // Rules that would stand closer than letters are high are left out.
  const every = Math.max(1, Math.ceil((steps.length * (letter + 4)) / (height + letter)))
  const rules = steps
    .filter((_, index) => index % every === 0)
    .map(
      (step) =>
        element("line", { class: "rule", x1: left, x2: left + width, y1: yOf(step), y2: yOf(step) }) +
        words(shown(step, measure), left - 6, yOf(step) + letter / 3, "end")
    )
  const names = labelled(labels, width).map((index) => {
    const isLast = index === labels.length - 1
    const anchor = labels.length < 2 ? "middle" : index === 0 ? "start" : isLast ? "end" : "middle"
    return words(labels[index] ?? "", xOf(index), area.y + height + letter + 5, anchor)
  })
  const drawn = rows.map((row, index) =>
    line(
      labels.map((_, place): Place | null => {
        const value = row.values[place] ?? null
        return value === null ? null : [xOf(place), yOf(value)]
      }),
      index
    )
  )
  return [...rules, ...names, ...drawn].join("")
}

/** What each line stands for: as it is dashed, and its name. */
export const legendOf = (rows: ReadonlyArray<Row>, area: Area): string =>
  rows
    .reduce<{ readonly x: number; readonly drawn: ReadonlyArray<string> }>(
      ({ drawn, x }, { name }, index) => {
        const next = x + 30 + widthOf(name, letter) + 14
        if (next > area.x + area.width + 14) return { x, drawn }
        const sample = element("line", {
          class: `line${index % 4}`,
          "stroke-width": 2,
          "stroke-dasharray": dashes[index % 4] ?? "none",
          x1: x,
          x2: x + 24,
          y1: area.y - letter / 3,
          y2: area.y - letter / 3
        })
        return { x: next, drawn: [...drawn, sample, words(name, x + 30, area.y)] }
      },
      { x: area.x, drawn: [] }
    )
    .drawn.join("")
