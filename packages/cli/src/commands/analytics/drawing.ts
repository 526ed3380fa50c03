import type { FigureUnit } from "@parley/domain/analytics"
import { CliOutput } from "effect/cli"
import { type Column, table } from "../../console/print.ts"
import { amountText, fitted } from "../../console/text.ts"

/** Draws a bar in proportion to the maximum. A value above zero has at least one letter. */
export const bar = (value: number | null, most: number, width: number): string => {
  if (value === null || value <= 0 || most <= 0) return ""
  return "█".repeat(Math.max(1, Math.round((Math.min(value, most) / most) * width)))
}

const heights = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const

/** Draws values as bars of one letter each, from 0 to the maximum. A missing value is a space. */
export const sparkline = (values: ReadonlyArray<number | null>): string => {
  const most = values.reduce((high: number, value) => Math.max(high, value ?? 0), 0)
  return values
    .map((value) => {
      if (value === null) return " "
      const share = most === 0 ? 0 : Math.max(0, value) / most
      return heights[Math.min(heights.length - 1, Math.floor(share * heights.length))] ?? heights[0]
    })
    .join("")
}

/** Default width of terminals. */
export const screenWidth = 80

const narrowest = 8
const gap = 2

/** Lays out a table whose first column contains names. Names are cut to the width that the other columns leave. */
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

const tenths = (value: number) => String(Math.round(value * 10) / 10)

/** Formats a duration in the largest unit that fits: `3.5 h`. */
export const duration = (seconds: number | null): string => {
  if (seconds === null) return "–"
  if (seconds < 60) return `${Math.round(seconds)} s`
  if (seconds < 3_600) return `${Math.round(seconds / 60)} min`
  return seconds < 172_800 ? `${tenths(seconds / 3_600)} h` : `${tenths(seconds / 86_400)} d`
}

/** Formats a share as a percentage. */
export const share = (rate: number | null): string => (rate === null ? "–" : `${tenths(rate * 100)}%`)

/** Formats a value of a figure; a dash for a missing value. */
export const shown = (value: number | null, unit: FigureUnit, currency = ""): string => {
  if (value === null) return "–"
  switch (unit) {
    case "count":
      return String(value)
    case "rate":
      return share(value)
    case "seconds":
      return duration(value)
    case "money":
      return amountText({ amountMinor: value, currency })
  }
}
