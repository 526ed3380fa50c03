import { CliOutput } from "effect/cli"
import { type Column, table } from "../console/Table.ts"
import { fitted } from "../inbox/text.ts"
import { screenWidth } from "./width.ts"

const narrowest = 8
const gap = 2

/** A table whose first column holds names, which are cut to what the others leave of the screen. */
export const namedTable = <Row>(
  rows: ReadonlyArray<Row>,
  nameOf: (row: Row) => string,
  columns: ReadonlyArray<Column<Row>>
): string => {
  const [headings = ""] = table(rows, [...columns, { heading: "|", of: () => "" }]).split("\n")
  const left = Math.max(narrowest, screenWidth - (CliOutput.displayWidth(headings) - 1 - gap) - gap)
  const longest = rows.reduce((most, row) => Math.max(most, CliOutput.displayWidth(nameOf(row))), 4)
  const width = Math.min(left, longest)
  return table(rows, [{ heading: "NAME", of: (row) => fitted(nameOf(row), width) }, ...columns])
}
