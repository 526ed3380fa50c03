import { type Area, element, fitted, letter, type Panel, widthOf, words } from "./Panel.ts"
import { known, shown } from "./values.ts"

/** Maximum number of bar groups in a chart. */
export const mostBars = 20

/** Maximum thickness of a bar, in pixels. */
const thickest = 22

/** Share of a group that its bars fill. */
const filled = 0.8

const noteHeight = letter + 6

/** Number of groups that fit with readable texts. Other groups are counted in a note below. */
const fittingGroups = ({ labels, rows }: Panel, { height }: Area): number => {
  const each = Math.max(letter + 3, (rows.length * (letter + 1)) / filled)
  const fits = (room: number) => Math.max(1, Math.floor(room / each))
  return labels.length <= Math.min(mostBars, fits(height))
    ? labels.length
    : Math.min(mostBars, fits(height - noteHeight))
}

/** Draws bars in one group per label, from top to bottom. */
export const drawBars = (panel: Panel, area: Area): string => {
  const { labels, measure, rows } = panel
  const count = fittingGroups(panel, area)
  const groups = labels.slice(0, count)
  const rest = labels.length - count
  const most = Math.max(0, ...rows.flatMap(({ values }) => known(values.slice(0, count)))) || 1
  const nameWidth = Math.min(area.width * 0.35, Math.max(0, ...groups.map((label) => widthOf(label, letter))) + 8)
  const describe = (value: number | null, name: string) => {
    const shownValue = value === null ? "–" : shown(value, measure)
    return rows.length > 1 ? `${shownValue} ${name}` : shownValue
  }
  const longest = Math.max(
    0,
    ...rows.flatMap(({ name, values }) => values.slice(0, count).map((value) => widthOf(describe(value, name), letter)))
  )
  const valueWidth = Math.min(area.width * 0.4, longest + 10)
  const width = Math.max(1, area.width - nameWidth - valueWidth)
  const room = Math.max(1, area.height - (rest > 0 ? noteHeight : 0))
  const height = Math.min(room / Math.max(1, count), (rows.length * thickest) / filled)
  const thick = (height * filled) / Math.max(1, rows.length)
  const drawn = groups.map((label, group) => {
    const y = area.y + group * height
    const name = words(fitted(label, nameWidth, letter), area.x, y + height / 2 + letter / 3)
    const bars = rows.map(({ name: of, values }, index) => {
      const value = values[group] ?? null
      const long = (Math.max(0, value ?? 0) / most) * width
      const top = y + (height * (1 - filled)) / 2 + index * thick
      const bar = {
        class: `fill${index % 4}`,
        x: area.x + nameWidth,
        y: top,
        width: long,
        height: Math.max(0.5, thick - 1)
      }
      const text = fitted(describe(value, of), valueWidth, letter)
      return element("rect", bar) + words(text, area.x + nameWidth + long + 6, top + thick / 2 + letter / 3)
    })
    return name + bars.join("")
  })
  const note = rest > 0 ? words(`and ${rest} more`, area.x, area.y + count * height + letter + 3) : ""
  return [...drawn, note].join("")
}
