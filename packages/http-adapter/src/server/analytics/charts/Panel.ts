import { element, escaped } from "./svg.ts"
import { isAdditive, type Measure } from "./values.ts"

/** A rectangle of a chart. */
export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Named values, one for each label of the panel. */
export interface Row {
  readonly name: string
  readonly values: ReadonlyArray<number | null>
}

/** One drawing of a chart. Its labels are those of points, of groups of bars, or of columns of a grid. */
export interface Panel {
  readonly kind: "lines" | "bars" | "grid"
  readonly title: string
  readonly measure: Measure
  readonly labels: ReadonlyArray<string>
  readonly rows: ReadonlyArray<Row>
}

/** How high letters are. */
export const letter = 11

/** Words in a chart. */
export const words = (content: string, x: number, y: number, anchor: "start" | "middle" | "end" = "start"): string =>
  element("text", { class: "text", x, y, "text-anchor": anchor, "font-size": letter }, escaped(content) || " ")

/** Whether there is nothing to be drawn: a duration or a rate of 0 is of something that happened, a count of 0 is not. */
export const isEmpty = ({ measure, rows }: Panel): boolean =>
  rows.every(({ values }) => values.every((value) => (isAdditive(measure) ? !value : value === null)))
