import type { Area, Panel } from "./Panel.ts"
import { element } from "./markup.ts"
import { fitted, letter, lineHeight, widthOf, words } from "./text.ts"
import { known, shown } from "./values.ts"

/** Maximum number of bar groups in a chart. */
export const mostBars = 20

/** Maximum thickness of a bar, in pixels. */
const thickest = 22

/** Share of the height of a group that its bars fill. */
const filled = 0.8

/** Distance between a bar and its value. */
const gap = 6

/** Positions of names, bars and values. */
interface Columns {
  /** Whether the name is a line above its bars. */
  readonly isAbove: boolean
  readonly nameWidth: number
  readonly valueWidth: number
  readonly barWidth: number
}

const describe = (value: number | null, name: string, { measure, rows }: Panel) => {
  const shownValue = value === null ? "–" : shown(value, measure)
  return rows.length > 1 ? `${shownValue} ${name}` : shownValue
}

/** Least height of the bars of a group. */
const leastGroup = (bars: number) => Math.max(letter + 3, (bars * (letter + 2)) / filled)

const columnsOf = (panel: Panel, { height, width }: Pick<Area, "width" | "height">): Columns => {
  const { labels, rows } = panel
  const longestName = Math.max(0, ...labels.slice(0, mostBars).map(widthOf)) + gap
  const longestValue = Math.max(
    0,
    ...rows.flatMap(({ name, values }) =>
      values.slice(0, mostBars).map((value) => widthOf(describe(value, name, panel)))
    )
  )
  const valueWidth = Math.min(width * 0.4, longestValue)
  const isAbove = rows.length > 1 && longestName > width * 0.35 && height >= leastGroup(rows.length) + 2 * lineHeight
  const nameWidth = isAbove ? 0 : Math.min(longestName, width * 0.5)
  return { isAbove, nameWidth, valueWidth, barWidth: Math.max(1, width - nameWidth - gap - valueWidth) }
}

/** Heights of a group: of its name above the bars, and of the bars. */
const heightsOf = ({ rows }: Panel, { isAbove }: Columns) => ({
  name: isAbove ? lineHeight : 0,
  least: leastGroup(rows.length),
  most: (Math.max(1, rows.length) * thickest) / filled
})

/** Height of the smallest drawing: a group with its name, and the number of other groups. */
export const leastBars = ({ rows }: Panel): number => leastGroup(rows.length) + 2 * lineHeight

/** Number of groups that fit with readable texts. */
const fittingGroups = ({ hasMore = false, labels }: Panel, each: number, height: number): number => {
  const fits = (room: number) => Math.max(1, Math.floor(room / each))
  const isWhole = !hasMore && labels.length <= Math.min(mostBars, fits(height))
  return isWhole ? labels.length : Math.min(mostBars, labels.length, fits(height - lineHeight))
}

/** Text about the groups that are not drawn. */
const restOf = ({ hasMore = false, labels }: Panel, count: number): string => {
  if (hasMore) return "and more"
  return labels.length > count ? `and ${labels.length - count} more` : ""
}

/** Draws bars in one group per label, from top to bottom. */
export const drawBars = (panel: Panel, area: Area): string => {
  const { labels, rows } = panel
  const columns = columnsOf(panel, area)
  const heights = heightsOf(panel, columns)
  const count = fittingGroups(panel, heights.name + heights.least, area.height)
  const rest = restOf(panel, count)
  const most = Math.max(0, ...rows.flatMap(({ values }) => known(values.slice(0, count)))) || 1
  const room = Math.max(1, area.height - (rest === "" ? 0 : lineHeight))
  const height = Math.min(room / Math.max(1, count), heights.name + heights.most)
  const barsHeight = height - heights.name
  const thick = (barsHeight * filled) / Math.max(1, rows.length)
  const left = area.x + columns.nameWidth
  const drawn = labels.slice(0, count).map((label, group) => {
    const top = area.y + group * height
    const name = columns.isAbove
      ? words(fitted(label, area.width), area.x, top + letter)
      : words(fitted(label, columns.nameWidth - gap), area.x, top + height / 2 + letter / 3)
    const bars = rows.map(({ name: of, values }, index) => {
      const value = values[group] ?? null
      const width = (Math.max(0, value ?? 0) / most) * columns.barWidth
      const y = top + heights.name + (barsHeight * (1 - filled)) / 2 + index * thick
      const bar = { class: `fill${index % 4}`, x: left, y, width, height: Math.max(0.5, thick - 1) }
      const text = fitted(describe(value, of, panel), columns.valueWidth)
      return element("rect", bar) + words(text, left + width + gap, y + thick / 2 + letter / 3)
    })
    return name + bars.join("")
  })
  const note = rest === "" ? "" : words(rest, area.x, area.y + count * height + letter)
  return [...drawn, note].join("")
}
