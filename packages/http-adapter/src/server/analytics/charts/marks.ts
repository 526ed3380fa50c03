import {
  type Area,
  dashes,
  element,
  escaped,
  fitted,
  letter,
  type Panel,
  rounded,
  type Row,
  widthOf,
  words
} from "./Panel.ts"
import { known, shown, stepsOf } from "./values.ts"

/** Draws a grid: a row per name, a column per label. Higher values have stronger fills. Each cell has a tooltip with its value. */
export const drawGrid = ({ labels, measure, rows }: Panel, area: Area): string => {
  const most = Math.max(0, ...rows.flatMap(({ values }) => known(values))) || 1
  const nameWidth = Math.max(0, ...rows.map(({ name }) => widthOf(name, letter))) + 8
  const [width, height] = [
    Math.max(1, area.width - nameWidth) / Math.max(1, labels.length),
    Math.max(1, area.height - letter - 6) / Math.max(1, rows.length)
  ]
  const left = area.x + nameWidth
  const every = Math.max(1, Math.ceil((letter * 2) / width))
  const heads = labels.map((label, index) =>
    index % every === 0 ? words(label, left + (index + 0.5) * width, area.y + area.height - 2, "middle") : ""
  )
  const cells = rows.flatMap(({ name, values }, row) => [
    words(name, area.x, area.y + (row + 0.5) * height + letter / 3),
    ...labels.map((label, column) => {
      const value = values[column] ?? 0
      const cell = {
        x: left + column * width,
        y: area.y + row * height,
        width: Math.max(0.5, width - 1),
        height: Math.max(0.5, height - 1)
      }
      const told = element("title", {}, escaped(`${name} ${label}: ${shown(value, measure)}`))
      return (
        element("rect", { class: "rule", fill: "none", ...cell }) +
        element("rect", { class: "fill0", "fill-opacity": Math.max(0, value) / most, ...cell }, told)
      )
    })
  ])
  return [...heads, ...cells].join("")
}

/** Maximum number of bar groups in a chart. */
export const mostBars = 20

/** Draws bars in one group per label, from top to bottom. */
export const drawBars = ({ labels, measure, rows }: Panel, area: Area): string => {
  const groups = labels.slice(0, mostBars)
  const most = Math.max(0, ...rows.flatMap(({ values }) => known(values.slice(0, mostBars)))) || 1
  const nameWidth = Math.min(area.width * 0.35, Math.max(0, ...groups.map((label) => widthOf(label, letter))) + 8)
  const said = (value: number | null, name: string) => {
    const shownValue = value === null ? "–" : shown(value, measure)
    return rows.length > 1 ? `${shownValue} ${name}` : shownValue
  }
  const valueWidth =
    Math.max(
      0,
      ...rows.flatMap(({ name, values }) =>
        values.slice(0, mostBars).map((value) => widthOf(said(value, name), letter))
      )
    ) + 10
  const width = Math.max(1, area.width - nameWidth - valueWidth)
  const height = area.height / Math.max(1, groups.length)
  const thick = (height * 0.8) / Math.max(1, rows.length)
  return groups
    .map((label, group) => {
      const y = area.y + group * height
      const name = words(fitted(label, nameWidth, letter), area.x, y + height / 2 + letter / 3)
      const bars = rows.map(({ name: of, values }, index) => {
        const value = values[group] ?? null
        const long = (Math.max(0, value ?? 0) / most) * width
        const top = y + height * 0.1 + index * thick
        const bar = {
          class: `fill${index % 4}`,
          x: area.x + nameWidth,
          y: top,
          width: long,
          height: Math.max(0.5, thick - 1)
        }
        return (
          element("rect", bar) + words(said(value, of), area.x + nameWidth + long + 6, top + thick / 2 + letter / 3)
        )
      })
      return name + bars.join("")
    })
    .join("")
}

type Place = readonly [x: number, y: number]

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

/** Style of a line: four colours, with a different dash pattern each time a colour repeats. */
const styleOf = (index: number) => ({
  class: `line${index % 4}`,
  "stroke-width": 2,
  "stroke-dasharray": dashes[(index + Math.floor(index / 4)) % 4] ?? "none"
})

const line = (places: ReadonlyArray<Place | null>, index: number): string => {
  const style = { ...styleOf(index), fill: "none" }
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

/** Selects the labels that fit, at even distances from the first one. */
const labelled = (labels: ReadonlyArray<string>, width: number): ReadonlyArray<number> => {
  const widest = labels.reduce((most, label) => Math.max(most, widthOf(label, letter)), 1)
  // The outer labels stay within the drawing, so they are half a label closer to their neighbours.
  const room = Math.max(1, Math.floor(width / (1.5 * widest + 8)))
  const every = Math.max(1, Math.ceil((labels.length - 1) / room))
  return labels.flatMap((_, index) => (index % every === 0 ? [index] : []))
}

/** Draws lines over time. */
export const drawLines = ({ labels, measure, rows }: Panel, area: Area): string => {
  const values = rows.flatMap((row: Row) => known(row.values))
  const steps = stepsOf(values, measure)
  const [low, high] = [steps[0] ?? 0, steps.at(-1) ?? 1]
  const left =
    area.x + Math.min(area.width / 3, Math.max(...steps.map((step) => widthOf(shown(step, measure), letter))) + 8)
  const [width, height] = [Math.max(1, area.x + area.width - left - 8), Math.max(1, area.height - letter - 8)]
  const yOf = (value: number) => area.y + height - ((value - low) / (high - low || 1)) * height
  const xOf = (index: number) => left + (labels.length < 2 ? width / 2 : (index * width) / (labels.length - 1))
  // Skips grid lines that are closer than the letter height.
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

const sampleWidth = 30
const betweenNames = 14
const legendLine = letter + 6

interface Legend {
  readonly height: number
  readonly drawn: string
}

/** Draws the legend: the dash pattern and the name of each line. It wraps, and uses at most half of the area. */
export const legendOf = (rows: ReadonlyArray<Row>, area: Area): Legend => {
  const most = Math.max(1, Math.floor(area.height / 2 / legendLine))
  let [x, lines] = [area.x, 1]
  const entries = rows.map(({ name }, index) => {
    const width = sampleWidth + widthOf(name, letter)
    if (x > area.x && x + width > area.x + area.width) [x, lines] = [area.x, lines + 1]
    const [left, y] = [x, area.y + (lines - 1) * legendLine]
    x += width + betweenNames
    const [x1, y1] = [left, y - letter / 3]
    const sample = element("line", { ...styleOf(index), x1, x2: x1 + sampleWidth - 6, y1, y2: y1 })
    return { line: lines, drawn: sample + words(name, left + sampleWidth, y) }
  })
  return {
    height: Math.min(lines, most) * legendLine,
    drawn: entries.map(({ drawn, line }) => (line > most ? "" : drawn)).join("")
  }
}
