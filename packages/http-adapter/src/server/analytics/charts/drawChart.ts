import {
  type Area,
  element,
  escaped,
  fitted,
  isEmpty,
  letter,
  type Panel,
  styleOf,
  type ThemeName,
  words
} from "./Panel.ts"
import { drawBars, drawGrid, drawLines, legendOf, mostBars } from "./marks.ts"
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

const betweenTitleAndDrawing = 16

const drawn = (panel: Panel, area: Area, chart: string): string => {
  const title = panel.title === chart ? "" : words(fitted(panel.title, area.width, letter), area.x, area.y + letter)
  if (isEmpty(panel)) {
    return (
      title +
      words(fitted(nothing, area.width, letter), area.x + area.width / 2, area.y + area.height / 2 + letter, "middle")
    )
  }
  const isNamed = panel.kind === "lines" && panel.rows.length > 1
  const legend = isNamed
    ? legendOf(panel.rows, { ...area, y: area.y + letter * 2 + 6 })
    : { height: betweenTitleAndDrawing, drawn: "" }
  const head = letter + legend.height + (isNamed ? letter : 0)
  const within = { ...area, y: area.y + head, height: Math.max(1, area.height - head) }
  const draw = { lines: drawLines, bars: drawBars, grid: drawGrid }[panel.kind]
  return title + legend.drawn + draw(panel, within)
}

const described = (panels: ReadonlyArray<Panel>, range: string): string =>
  panels
    .flatMap(({ kind, measure, rows, title }) => {
      if (kind === "grid")
        return [
          `${title}, ${range}: ${summed(
            rows.flatMap(({ values }) => values),
            measure
          )}.`
        ]
      return rows.map(({ name, values }) => {
        const counted = kind === "bars" ? values.slice(0, mostBars) : values
        const figure = rows.length === 1 && name === title ? title : `${title}, ${name}`
        return `${figure}, ${range}: ${summed(counted, measure)}.`
      })
    })
    .join(" ")

/** Draws panels as one SVG image with a text description. The image loads and runs nothing. */
export const drawChart = ({ range, title }: Subject, panels: ReadonlyArray<Panel>, look: Look): string => {
  const { height, theme, width } = look
  const columns = panels.length < 2 || width < narrow ? 1 : 2
  const lines = Math.max(1, Math.ceil(panels.length / columns))
  const margin = 16
  const [cell, line] = [(width - margin) / columns, (height - margin - letter * 2) / lines]
  const areas = panels.map((panel, index) => ({
    panel,
    area: {
      x: margin + (index % columns) * cell,
      y: margin + letter * 2 + Math.floor(index / columns) * line,
      width: Math.max(1, cell - margin),
      height: Math.max(1, line - margin)
    }
  }))
  const content = [
    element("title", {}, escaped(title)),
    element("desc", {}, escaped(panels.length === 0 ? `${nothing}.` : described(panels, range))),
    element("style", {}, styleOf(theme)),
    element("rect", { class: "back", width, height }),
    words(fitted(`${title}, ${range}`, width - 2 * margin, letter), margin, margin + letter),
    ...(panels.length === 0 ? [words(nothing, width / 2, height / 2, "middle")] : []),
    ...areas.map(({ area, panel }) => drawn(panel, area, title))
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
