import type { Area, Row } from "./Panel.ts"
import { element } from "./markup.ts"
import { fitted, letter, widthOf, words } from "./text.ts"

/** Dash patterns that distinguish the lines of a panel without colours. */
const dashes = ["none", "7 4", "2 3", "9 3 2 3"] as const

/** Style of a line: four colours, with a different dash pattern each time a colour repeats. */
export const lineStyle = (index: number) => ({
  class: `line${index % 4}`,
  "stroke-width": 2,
  "stroke-dasharray": dashes[(index + Math.floor(index / 4)) % 4] ?? "none"
})

const sampleWidth = 30
const betweenNames = 14
const legendLine = letter + 6

interface Entry {
  readonly line: number
  readonly x: number
  readonly end: number
  readonly name: string
}

/** Places the names of lines from a position, in lines of a width. */
const place = (names: ReadonlyArray<string>, start: number, width: number): ReadonlyArray<Entry> => {
  let [x, line] = [start, 0]
  return names.map((each) => {
    const name = fitted(each, width - sampleWidth)
    const needed = sampleWidth + widthOf(name)
    if (x > start && x + needed > start + width) [x, line] = [start, line + 1]
    const entry = { line, x, end: x + needed, name }
    x += needed + betweenNames
    return entry
  })
}

const draw = (entries: ReadonlyArray<Entry>, baseline: number): string =>
  entries
    .map(({ line, name, x }, index) => {
      const y = baseline + line * legendLine
      const sample = { ...lineStyle(index), x1: x, x2: x + sampleWidth - 6, y1: y - letter / 3, y2: y - letter / 3 }
      return element("line", sample) + words(name, x + sampleWidth, y)
    })
    .join("")

/** Removes the entries that do not fit into a number of lines, and counts them at the end. */
const shorten = (entries: ReadonlyArray<Entry>, lines: number, start: number, right: number) => {
  let shown = entries.filter(({ line }) => line < lines)
  const textOf = () => `and ${entries.length - shown.length} more`
  while (shown.length < entries.length && shown.length > 0) {
    const last = shown.at(-1)
    const x = last === undefined || last.line < lines - 1 ? start : last.end + betweenNames
    if (x + widthOf(textOf()) <= right) return { shown, rest: { x, text: textOf() } }
    shown = shown.slice(0, -1)
  }
  return { shown, rest: undefined }
}

/** Whether every name fits into a line. */
export const hasFittingNames = (rows: ReadonlyArray<Row>, width: number): boolean =>
  rows.every(({ name }) => sampleWidth + widthOf(name) <= width)

export interface Legend {
  /** Height below the line of the title. */
  readonly height: number
  readonly drawn: string
}

/** Draws the legend: behind the title if it fits there, otherwise in lines below it, up to a height. */
export const legendOf = (
  rows: ReadonlyArray<Row>,
  titleWidth: number,
  { width, x, y }: Pick<Area, "x" | "y" | "width">,
  mostHeight: number
): Legend => {
  const names = rows.map(({ name }) => name)
  const start = x + (titleWidth === 0 ? 0 : titleWidth + betweenNames)
  const behind = place(names, start, Math.max(0, x + width - start))
  const fitsBehind = behind.every(({ line, name }, index) => line === 0 && name === names[index])
  if (fitsBehind) return { height: 0, drawn: draw(behind, y + letter) }
  const below = place(names, x, width)
  const lines = Math.min((below.at(-1)?.line ?? 0) + 1, Math.max(0, Math.floor(mostHeight / legendLine)))
  const baseline = y + letter * 2 + 6
  const { rest, shown } = shorten(below, lines, x, x + width)
  const note = rest === undefined ? "" : words(rest.text, rest.x, baseline + (lines - 1) * legendLine)
  return { height: lines * legendLine, drawn: draw(shown, baseline) + note }
}
