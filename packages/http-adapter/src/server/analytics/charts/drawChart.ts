import {
  type Area,
  element,
  escaped,
  fitted,
  isEmpty,
  letter,
  type Panel,
  rounded,
  styleOf,
  type ThemeName,
  widthOf,
  words
} from "./Panel.ts"
import { drawBars, mostBars } from "./bars.ts"
import { drawGrid } from "./grid.ts"
import { drawLines, legendOf } from "./lines.ts"
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

const nothing = "No activity in this period"

/** Width below which panels are stacked. */
const narrow = 560

/** Width and height below which a panel is unreadable. */
const least = { width: 150, height: 100 }

const margin = 16

const betweenTitleAndDrawing = 16

const noLegend = { height: 0, drawn: "" }

const drawn = (panel: Panel, area: Area, chart: string): string => {
  const title = panel.title === chart ? "" : words(fitted(panel.title, area.width, letter), area.x, area.y + letter)
  if (isEmpty(panel)) {
    return (
      title +
      words(fitted(nothing, area.width, letter), area.x + area.width / 2, area.y + area.height / 2 + letter, "middle")
    )
  }
  const isNamed = panel.kind === "lines" && panel.rows.length > 1
  const legend = isNamed ? legendOf(panel.rows, title === "" ? 0 : widthOf(panel.title, letter), area) : noLegend
  const head = (title === "" && !isNamed ? 0 : letter) + betweenTitleAndDrawing + legend.height
  const within = { ...area, y: area.y + head, height: Math.max(1, area.height - head) }
  const draw = { lines: drawLines, bars: drawBars, grid: drawGrid }[panel.kind]
  return title + legend.drawn + draw(panel, within)
}

/** A panel in its own viewport, which cuts everything outside of its area. */
const inViewport = (content: string, { height, width, x, y }: Area): string =>
  element("svg", { x, y, width, height, viewBox: [x, y, width, height].map(rounded).join(" ") }, content)

/** Number of panels that fit in each direction. Panels that do not fit are left out. */
const layoutOf = (count: number, { height, width }: Look) => {
  const room = Math.max(1, Math.floor((height - margin - letter * 2) / least.height))
  const side = Math.max(1, Math.floor((width - margin) / least.width))
  const usual = count < 2 || width < narrow ? 1 : 2
  const columns = Math.ceil(count / usual) <= room ? usual : Math.min(2, side, count)
  const lines = Math.min(room, Math.max(1, Math.ceil(count / columns)))
  return { columns, lines, shown: Math.min(count, columns * lines) }
}

const described = (panels: ReadonlyArray<Panel>, range: string): string =>
  panels
    .flatMap(({ isUnfinished, kind, measure, rows, title }) => {
      if (kind === "grid")
        return [
          `${title}, ${range}: ${summed(
            rows.flatMap(({ values }) => values),
            measure
          )}.`
        ]
      const unfinished = isUnfinished === true ? " The last value is not final." : ""
      return rows.map(({ name, values }) => {
        const counted = kind === "bars" ? values.slice(0, mostBars) : values
        const figure = rows.length === 1 && name === title ? title : `${title}, ${name}`
        return `${figure}, ${range}: ${summed(counted, measure)}.${unfinished}`
      })
    })
    .join(" ")

/** Draws panels as one SVG image with a text description. The image loads and runs nothing. */
export const drawChart = ({ range, title }: Subject, panels: ReadonlyArray<Panel>, look: Look): string => {
  const { height, theme, width } = look
  const { columns, lines, shown } = layoutOf(panels.length, look)
  const [cell, line] = [(width - margin) / columns, (height - margin - letter * 2) / lines]
  const areas = panels.slice(0, shown).map((panel, index) => ({
    panel,
    area: {
      x: margin + (index % columns) * cell,
      y: margin + letter * 2 + Math.floor(index / columns) * line,
      width: Math.max(1, cell - margin),
      height: Math.max(1, line - margin)
    }
  }))
  const part = shown < panels.length ? `${shown} of ${panels.length} panels, ` : ""
  const heading = `${title}, ${part}${range}`
  const content = [
    element("title", {}, escaped(title)),
    element("desc", {}, escaped(panels.length === 0 ? `${nothing}.` : described(panels, range))),
    element("style", {}, styleOf(theme)),
    element("rect", { class: "back", width, height }),
    words(fitted(heading, width - 2 * margin, letter), margin, margin + letter),
    ...(panels.length === 0 ? [words(nothing, width / 2, height / 2, "middle")] : []),
    ...areas.map(({ area, panel }) => inViewport(drawn(panel, area, title), area))
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
