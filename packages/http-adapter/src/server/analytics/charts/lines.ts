import { type Area, dashes, element, letter, type Panel, rounded, type Row, widthOf, words } from "./Panel.ts"
import { known, shown, stepsOf } from "./values.ts"

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

/** Marks the time of the last value as unfinished, with a band up to it. */
const drawUnfinished = (from: number, to: number, { height, y }: Pick<Area, "y" | "height">): string => {
  const band = { class: "band", x: from, y, width: Math.max(1, to - from), height }
  return element("rect", band) + words("so far", to, y + letter, "end")
}

/** Draws lines over time. */
export const drawLines = ({ isUnfinished = false, labels, measure, rows }: Panel, area: Area): string => {
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
  const band = isUnfinished
    ? drawUnfinished(xOf(Math.max(0, labels.length - 2)), xOf(labels.length - 1), { y: area.y, height })
    : ""
  return [band, ...rules, ...names, ...drawn].join("")
}

const sampleWidth = 30
const betweenNames = 14
const legendLine = letter + 6

/** Height that a legend leaves for the drawing. */
const leastDrawing = 84

interface Legend {
  readonly height: number
  readonly drawn: string
}

/** Draws the dash pattern and the name of each line from a place, in lines of a width. */
const drawEntries = (rows: ReadonlyArray<Row>, { width: most, x: start, y: top }: Omit<Area, "height">) => {
  let [x, lines] = [start, 1]
  const entries = rows.map(({ name }, index) => {
    const width = sampleWidth + widthOf(name, letter)
    if (x > start && x + width > start + most) [x, lines] = [start, lines + 1]
    const [left, y] = [x, top + (lines - 1) * legendLine]
    x += width + betweenNames
    const [x1, y1] = [left, y - letter / 3]
    const sample = element("line", { ...styleOf(index), x1, x2: x1 + sampleWidth - 6, y1, y2: y1 })
    return { line: lines, end: left + width, drawn: sample + words(name, left + sampleWidth, y) }
  })
  return { lines, entries }
}

/**
 * Draws the legend: behind the title if it fits there, otherwise below it. There it wraps, and leaves half of the area and a least height to the
 * drawing. `height` is the height below the title.
 */
export const legendOf = (rows: ReadonlyArray<Row>, titleWidth: number, area: Area): Legend => {
  const left = titleWidth === 0 ? 0 : titleWidth + betweenNames
  const behind = drawEntries(rows, { x: area.x + left, y: area.y + letter, width: area.width - left })
  if (behind.lines === 1 && behind.entries.every(({ end }) => end <= area.x + area.width)) {
    return { height: 0, drawn: behind.entries.map(({ drawn }) => drawn).join("") }
  }
  const below = drawEntries(rows, { ...area, y: area.y + letter * 2 + 6 })
  const most = Math.max(0, Math.floor(Math.min(area.height / 2, area.height - leastDrawing) / legendLine))
  return {
    height: Math.min(below.lines, most) * legendLine,
    drawn: below.entries.map(({ drawn, line }) => (line > most ? "" : drawn)).join("")
  }
}
