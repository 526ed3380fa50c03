import { type Area, letter, type Panel, words } from "./Panel.ts"
import { element, fitted, widthOf } from "./svg.ts"
import { known, shown } from "./values.ts"

/** The most groups of bars that a chart has. */
export const mostBars = 20

/** Bars, a group for each label, one below the other. */
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
