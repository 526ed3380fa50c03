import { type Area, emptyTextOf, isEmpty, type Panel } from "./Panel.ts"
import { drawBars } from "./bars.ts"
import { drawGrid } from "./grid.ts"
import { margin, partsOf, placePanels } from "./layout.ts"
import { drawLines } from "./lines.ts"
import { element, escaped, rounded } from "./markup.ts"
import { letter, lineHeight, paragraph, words, wrapped } from "./text.ts"
import { styleOf, type ThemeName } from "./theme.ts"
import { summed } from "./values.ts"

/** Size in pixels and theme of a chart. */
export interface Look {
  readonly width: number
  readonly height: number
  readonly theme: ThemeName
}

/** Title and date range of a chart. */
export interface Subject {
  readonly title: string
  readonly range: string
}

const mostHeadingLines = 2

const mostEmptyLines = 4

/** Draws a text in the middle of an area. */
const drawEmpty = (text: string, { height, width, x, y }: Area): string => {
  const lines = wrapped(text, width, mostEmptyLines)
  const top = y + (height - lines.length * lineHeight) / 2
  return paragraph(lines, x + width / 2, top + letter, "middle")
}

const drawPanel = (panel: Panel, area: Area, chart: string): string => {
  const { drawing, legend, note, title } = partsOf(panel, area, chart)
  const draw = { lines: drawLines, bars: drawBars, grid: drawGrid }[panel.kind]
  return [
    title === "" ? "" : words(title, area.x, area.y + letter),
    legend.drawn,
    isEmpty(panel) ? drawEmpty(emptyTextOf(panel), drawing) : draw(panel, drawing),
    paragraph(note, area.x, drawing.y + drawing.height + 4 + letter)
  ].join("")
}

/** Letters such as `J` can start left of their position. */
const overhang = 2

/** A panel in its own viewport, which cuts everything outside of its area. */
const inViewport = (content: string, area: Area): string => {
  const [x, y] = [area.x - overhang, area.y - overhang]
  const [width, height] = [area.width + 2 * overhang, area.height + 2 * overhang]
  return element("svg", { x, y, width, height, viewBox: [x, y, width, height].map(rounded).join(" ") }, content)
}

const describePanel = (panel: Panel, range: string): ReadonlyArray<string> => {
  const { isUnfinished, kind, measure, note, rows, title } = panel
  const remarks = note === undefined ? [] : [note]
  if (isEmpty(panel)) return [`${title}, ${range}: ${emptyTextOf(panel)}`, ...remarks]
  if (kind === "grid") {
    const all = rows.flatMap(({ values }) => values)
    return [`${title}, ${range}: ${summed(all, measure)}.`, ...remarks]
  }
  const unfinished = isUnfinished === true ? " The last value is not final." : ""
  const figures = rows.map(({ name, values }) => {
    const figure = rows.length === 1 && name === title ? title : `${title}, ${name}`
    return `${figure}, ${range}: ${summed(values, measure)}.${unfinished}`
  })
  return [...figures, ...remarks]
}

/** Draws panels as one SVG image with a text description. The image loads and runs nothing. */
export const drawChart = ({ range, title }: Subject, panels: ReadonlyArray<Panel>, look: Look): string => {
  const { height, theme, width } = look
  const insideOf = (heading: ReadonlyArray<string>) => {
    const top = margin + letter * 2 + (heading.length - 1) * lineHeight
    return { x: margin, y: top, width: width - margin, height: Math.max(1, height - top) }
  }
  const headingOf = (part: string) => wrapped(`${title}, ${part}${range}`, width - 2 * margin, mostHeadingLines)
  const partOf = (count: number) => (count === panels.length ? "" : `${count} of ${panels.length} panels, `)
  const complete = placePanels(panels, insideOf(headingOf("")), title)
  // The number of panels can make the heading longer, and leave less space for the panels.
  const inside = insideOf(headingOf(partOf(complete.length)))
  const placed = placePanels(panels, inside, title)
  const heading = headingOf(partOf(placed.length))
  const content = [
    element("title", {}, escaped(title)),
    element(
      "desc",
      {},
      escaped(panels.length === 0 ? emptyTextOf({}) : panels.flatMap((panel) => describePanel(panel, range)).join(" "))
    ),
    element("style", {}, styleOf(theme)),
    element("rect", { class: "back", width, height }),
    paragraph(heading, margin, margin + letter),
    ...(panels.length === 0 ? [drawEmpty(emptyTextOf({}), { ...inside, width: width - 2 * margin })] : []),
    ...placed.map(({ area, panel }) => inViewport(drawPanel(panel, area, title), area))
  ]
  const frame = {
    xmlns: "http://www.w3.org/2000/svg",
    role: "img",
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    "font-family": "system-ui, sans-serif"
  }
  return element("svg", frame, content.join(""))
}
