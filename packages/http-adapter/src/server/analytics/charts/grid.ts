import { type Area, element, escaped, letter, type Panel, widthOf, words } from "./Panel.ts"
import { known, type Measure, shown } from "./values.ts"

/** Number of steps of the scale below a grid. */
const scaleSteps = 5

/** Height of the scale with its distance from the labels. */
const scaleHeight = letter + 10

/** Strongest fill behind a value, so the text keeps a contrast of 4.5 to 1. */
const strengthBehindText = 0.4

/** Draws the fills from 0 to the maximum, with both values. */
const drawScale = (most: number, measure: Measure, strength: number, { height, x, y }: Area): string => {
  const [side, top] = [letter, y + height - letter]
  const from = x + widthOf(shown(0, measure), letter) + 6
  const steps = Array.from({ length: scaleSteps }, (_, step) => {
    const place = { x: from + step * side, y: top, width: side - 1, height: side - 1 }
    return (
      element("rect", { class: "rule", fill: "none", ...place }) +
      element("rect", { class: "fill0", "fill-opacity": (step / (scaleSteps - 1)) * strength, ...place })
    )
  })
  const end = from + scaleSteps * side + 6
  return [words(shown(0, measure), x, y + height - 2), ...steps, words(shown(most, measure), end, y + height - 2)].join(
    ""
  )
}

/**
 * Draws a grid: a row per name, a column per label. Higher values have stronger fills, and a scale explains them. Each cell has a tooltip with its
 * value, and shows the value where it fits.
 */
export const drawGrid = ({ labels, measure, rows }: Panel, area: Area): string => {
  const all = rows.flatMap(({ values }) => known(values))
  const most = Math.max(0, ...all) || 1
  const nameWidth = Math.max(0, ...rows.map(({ name }) => widthOf(name, letter))) + 8
  const [width, height] = [
    Math.max(1, area.width - nameWidth) / Math.max(1, labels.length),
    Math.max(1, area.height - letter - 6 - scaleHeight) / Math.max(1, rows.length)
  ]
  const left = area.x + nameWidth
  const bottom = area.y + height * rows.length
  const widest = Math.max(1, ...labels.map((label) => widthOf(label, letter)))
  const every = Math.max(1, Math.ceil((widest + 6) / width))
  const heads = labels.map((label, index) =>
    index % every === 0 ? words(label, left + (index + 0.5) * width, bottom + letter + 3, "middle") : ""
  )
  const isWritten = height >= letter + 2 && all.every((value) => widthOf(shown(value, measure), letter) + 2 <= width)
  const strength = isWritten ? strengthBehindText : 1
  const cells = rows.flatMap(({ name, values }, row) => [
    words(name, area.x, area.y + (row + 0.5) * height + letter / 3),
    ...labels.map((label, column) => {
      const value = values[column] ?? 0
      const [x, y] = [left + column * width, area.y + row * height]
      const cell = { x, y, width: Math.max(0.5, width - 1), height: Math.max(0.5, height - 1) }
      const title = element("title", {}, escaped(`${name} ${label}: ${shown(value, measure)}`))
      return (
        element("rect", { class: "rule", fill: "none", ...cell }) +
        element("rect", { class: "fill0", "fill-opacity": (Math.max(0, value) / most) * strength, ...cell }, title) +
        (isWritten && value !== 0
          ? words(shown(value, measure), x + width / 2, y + height / 2 + letter / 3, "middle")
          : "")
      )
    })
  ])
  return [...heads, ...cells, drawScale(most, measure, strength, { ...area, x: left })].join("")
}
