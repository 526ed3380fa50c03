import { type Area, letter, type Panel, words } from "./Panel.ts"
import { element, escaped, widthOf } from "./svg.ts"
import { known, shown } from "./values.ts"

/** Cells, a row for each name and a column for each label: the more, the fuller. Each says its value to whoever points at it. */
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
