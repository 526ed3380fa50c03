import { type Area, isEmpty, type Panel } from "./Panel.ts"
import { leastBars } from "./bars.ts"
import { hasFittingNames, legendOf, type Legend } from "./legend.ts"
import { leastLines } from "./lines.ts"
import { fitted, letter, lineHeight, widthOf, wrapped } from "./text.ts"

/** Distance between the panels and from the edge of the chart. */
export const margin = 16

/** Width below which panels are stacked. */
const narrow = 560

/** Least width of a panel and of its margin. */
const leastWidth = 150

/** Least height of a panel. */
const leastHeight = 84

const belowTitle = 16

const mostNoteLines = 2

/** Parts of a panel, from top to bottom. */
export interface Parts {
  readonly title: string
  readonly legend: Legend
  readonly head: number
  readonly drawing: Area
  readonly note: ReadonlyArray<string>
}

const noLegend: Legend = { height: 0, drawn: "" }

/** Divides the area of a panel. `chart` is the title of the chart, which a panel does not repeat. */
export const partsOf = (panel: Panel, area: Area, chart: string): Parts => {
  const title = panel.title === chart ? "" : fitted(panel.title, area.width)
  const note = panel.note === undefined ? [] : wrapped(panel.note, area.width, mostNoteLines)
  const noteHeight = note.length === 0 ? 0 : note.length * lineHeight + 4
  const isNamed = panel.kind === "lines" && panel.rows.length > 1 && !isEmpty(panel)
  const line = title === "" && !isNamed ? 0 : letter
  const room = area.height - line - belowTitle - leastLines - noteHeight
  const legend = isNamed ? legendOf(panel.rows, title === "" ? 0 : widthOf(title), area, room) : noLegend
  const head = line + belowTitle + legend.height
  const height = Math.max(1, area.height - head - noteHeight)
  return { title, legend, head, note, drawing: { ...area, y: area.y + head, height } }
}

/** Height that a panel needs for its whole legend and a readable drawing. */
const neededHeight = (panel: Panel, width: number, chart: string): number => {
  const { drawing, head } = partsOf(panel, { x: 0, y: 0, width, height: 10_000 }, chart)
  const noteHeight = 10_000 - head - drawing.height
  const least = panel.kind === "bars" ? leastBars(panel) : leastLines
  return Math.max(leastHeight, head + least + noteHeight)
}

interface Lines {
  readonly columns: number
  readonly needed: ReadonlyArray<number>
}

/** Lines of panels that fit below each other. The first line always fits. */
const linesOf = (panels: ReadonlyArray<Panel>, columns: number, { height, width }: Area, chart: string): Lines => {
  const each = width / columns - margin
  const needed: Array<number> = []
  let room = height
  for (let first = 0; first < panels.length; first += columns) {
    const line = panels.slice(first, first + columns).map((panel) => neededHeight(panel, each, chart) + margin)
    const most = Math.max(...line)
    if (needed.length > 0 && most > room) break
    needed.push(Math.min(most, room))
    room -= most
  }
  return { columns, needed }
}

/** A panel and its area. */
export interface PlacedPanel {
  readonly panel: Panel
  readonly area: Area
}

/**
 * Places panels in lines of one or two. Panels that do not fit are left out. Each line gets the height that it needs, and an equal share of the rest.
 * `inside` is the chart without its heading and without its left and upper margin.
 */
export const placePanels = (panels: ReadonlyArray<Panel>, inside: Area, chart: string): ReadonlyArray<PlacedPanel> => {
  if (panels.length === 0) return []
  const canPair = panels.length > 1 && inside.width / 2 >= leastWidth
  const usual = canPair && inside.width + margin >= narrow ? 2 : 1
  const canName = panels.every(
    ({ kind, rows }) => kind !== "lines" || rows.length < 2 || hasFittingNames(rows, inside.width / 2 - margin)
  )
  const choices = usual === 1 && canPair && canName ? [1, 2] : [usual]
  const lines = choices.map((columns) => linesOf(panels, columns, inside, chart))
  const countOf = ({ columns, needed }: Lines) => Math.min(panels.length, columns * needed.length)
  const chosen = lines.reduce((one, other) => (countOf(other) > countOf(one) ? other : one))
  const { columns, needed } = chosen
  const spare = Math.max(0, inside.height - needed.reduce((sum, height) => sum + height, 0)) / needed.length
  const width = inside.width / columns
  return panels.slice(0, countOf(chosen)).map((panel, index) => {
    const line = Math.floor(index / columns)
    const above = needed.slice(0, line).reduce((sum, height) => sum + height + spare, 0)
    const area = {
      x: inside.x + (index % columns) * width,
      y: inside.y + above,
      width: Math.max(1, width - margin),
      height: Math.max(1, (needed[line] ?? 0) + spare - margin)
    }
    return { panel, area }
  })
}
