import type { Area, Panel, Row } from "./Panel.ts"
import { element, escaped } from "./markup.ts"
import { fitted, letter, widthOf, words } from "./text.ts"
import { placeTicks } from "./ticks.ts"
import { isAdditive, known, type Measure, shown } from "./values.ts"

/** Number of steps of the scale below a grid. */
const scaleSteps = 5

/** Height of the labels below the grid. */
const headHeight = letter + 5

/** Height of the scale with its distance from the labels. */
const scaleHeight = letter + 8

/** Strongest fill behind a value, so the text keeps a contrast of 4.5 to 1. */
const strengthBehindText = 0.4

/** Numbers of hours between two labels, and in a column that shows its value. */
const hourSteps = [1, 2, 3, 6, 12]

/** Columns of a grid, each with this number of hours. */
interface Columns {
  readonly hours: number
  readonly labels: ReadonlyArray<string>
  readonly rows: ReadonlyArray<Row>
}

/** Adds the values of neighbouring hours. */
const merge = ({ labels, rows }: Panel, hours: number): Columns => {
  const starts = labels.flatMap((_, index) => (index % hours === 0 ? [index] : []))
  return {
    hours,
    labels: starts.map((start) => labels[start] ?? ""),
    rows: rows.map(({ name, values }) => ({
      name,
      values: starts.map((start) =>
        known(values.slice(start, start + hours)).reduce((sum: number, value) => sum + value, 0)
      )
    }))
  }
}

const maximumOf = ({ rows }: Columns): number => Math.max(0, ...rows.flatMap(({ values }) => known(values))) || 1

const fitsValues = ({ labels, rows }: Columns, measure: Measure, width: number) => {
  const room = width / Math.max(1, labels.length) - 2
  return rows.every(({ values }) => known(values).every((value) => widthOf(shown(value, measure)) <= room))
}

/** Merges hours until the values fit. Values that cannot be added stay in columns of one hour. */
const readableColumns = (panel: Panel, width: number): Columns | undefined =>
  (isAdditive(panel.measure) ? hourSteps : [1])
    .filter((hours) => panel.labels.length % hours === 0)
    .map((hours) => merge(panel, hours))
    .find((columns) => fitsValues(columns, panel.measure, width))

/** Draws the fills from 0 to the maximum, with both values. */
const drawScale = (columns: Columns, measure: Measure, strength: number, { height, width, x, y }: Area): string => {
  const [side, top] = [letter, y + height - letter]
  const from = x + widthOf(shown(0, measure)) + 6
  const steps = Array.from({ length: scaleSteps }, (_, step) => {
    const place = { x: from + step * side, y: top, width: side - 1, height: side - 1 }
    return (
      element("rect", { class: "rule", fill: "none", ...place }) +
      element("rect", { class: "fill0", "fill-opacity": (step / (scaleSteps - 1)) * strength, ...place })
    )
  })
  const end = from + scaleSteps * side + 6
  const text = `${shown(maximumOf(columns), measure)} per ${columns.hours === 1 ? "hour" : `${columns.hours} hours`}`
  const baseline = y + height - 3
  return [words(shown(0, measure), x, baseline), ...steps, words(fitted(text, x + width - end), end, baseline)].join("")
}

/** Draws the labels below the grid: in the middle of single hours, and at the start of several. */
const drawHeads = ({ hours, labels }: Columns, cell: number, { height, width, x, y }: Area): string => {
  const sets = hourSteps.map((step) =>
    labels.flatMap((label, index) => ((index * hours) % step === 0 ? [{ index, label }] : []))
  )
  const xOf = (index: number) => x + index * cell + (hours === 1 ? cell : widthOf(labels[index] ?? "")) / 2
  return placeTicks(sets, xOf, x, x + width)
    .map(({ label, middle }) => words(label, middle, y + height + letter + 2, "middle"))
    .join("")
}

/**
 * Draws a grid: a row per name, a column per hour. Higher values have stronger fills, and a scale explains them. Each cell has a tooltip with its
 * value, and shows the value. In a narrow grid, a column has several hours. Cells without enough height show no value.
 */
export const drawGrid = (panel: Panel, area: Area): string => {
  const { measure } = panel
  const nameWidth = Math.min(area.width / 3, Math.max(0, ...panel.rows.map(({ name }) => widthOf(name))) + 8)
  const left = area.x + nameWidth
  const inner = Math.max(1, area.width - nameWidth)
  const room = Math.max(1, area.height - headHeight - scaleHeight)
  const height = room / Math.max(1, panel.rows.length)
  const readable = height >= letter + 1 ? readableColumns(panel, inner) : undefined
  const columns = readable ?? merge(panel, 1)
  const width = inner / Math.max(1, columns.labels.length)
  const strength = readable === undefined ? 1 : strengthBehindText
  const everyName = Math.ceil((letter + 1) / height)
  const most = maximumOf(columns)
  const cells = columns.rows.flatMap(({ name, values }, row) => [
    row % everyName === 0 ? words(fitted(name, nameWidth - 4), area.x, area.y + (row + 0.5) * height + letter / 3) : "",
    ...columns.labels.map((label, column) => {
      const value = values[column] ?? 0
      const [x, y] = [left + column * width, area.y + row * height]
      const cell = { x, y, width: Math.max(0.5, width - 1), height: Math.max(0.5, height - 1) }
      const title = element("title", {}, escaped(`${name} ${label}: ${shown(value, measure)}`))
      return (
        element("rect", { class: "rule", fill: "none", ...cell }) +
        element("rect", { class: "fill0", "fill-opacity": (Math.max(0, value) / most) * strength, ...cell }, title) +
        (readable !== undefined && value !== 0
          ? words(shown(value, measure), x + width / 2, y + height / 2 + letter / 3, "middle")
          : "")
      )
    })
  ])
  const inside = { x: left, y: area.y, width: inner, height: room }
  const scale = drawScale(columns, measure, strength, { ...inside, height: area.height })
  return [drawHeads(columns, width, inside), ...cells, scale].join("")
}
