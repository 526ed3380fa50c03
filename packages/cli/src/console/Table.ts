import { CliOutput } from "effect/cli"

/** A column: its heading, what it shows of a row, and on which side it is aligned. */
export interface Column<Row> {
  readonly heading: string
  readonly of: (row: Row) => string
  readonly align?: "left" | "right"
}

const gap = "  "

const pad = (text: string, width: number, align: "left" | "right") => {
  const space = " ".repeat(Math.max(0, width - CliOutput.displayWidth(text)))
  return align === "left" ? text + space : space + text
}

/** Lays rows out under headings, as wide as their widest cell on a screen. */
export const table = <Row>(rows: ReadonlyArray<Row>, columns: ReadonlyArray<Column<Row>>): string => {
  const cells = [columns.map((column) => column.heading), ...rows.map((row) => columns.map((column) => column.of(row)))]
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => CliOutput.displayWidth(line[at] ?? ""))))
  return cells
    .map((line) =>
      columns
        .map((column, at) => pad(line[at] ?? "", widths[at] ?? 0, column.align ?? "left"))
        .join(gap)
        .trimEnd()
    )
    .join("\n")
}

/** Lays out the fields of one thing, a line each. */
export const card = (fields: ReadonlyArray<readonly [name: string, value: string]>): string => {
  const width = Math.max(...fields.map(([name]) => CliOutput.displayWidth(name)))
  return fields.map(([name, value]) => `${pad(name, width, "left")}${gap}${value}`.trimEnd()).join("\n")
}
