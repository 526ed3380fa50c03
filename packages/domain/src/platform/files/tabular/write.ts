import { type Schema, Stream } from "effect"
import { defused } from "./defuse.ts"
import type { CsvRow } from "./readCsv.ts"
import { encoded } from "./utf8.ts"

const special = /[",;\t\r\n]/u

const written = (text: string): string => {
  const cell = defused(text)
  return special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

const line = (cells: ReadonlyArray<string>): string => {
  const text = cells.map(written).join(",")
  // A line without anything is no row.
  return text === "" ? '""\r\n' : `${text}\r\n`
}

const encodedLines = <A>(lineOf: (row: A) => string) =>
  Stream.mapArray((rows: readonly [A, ...Array<A>]) => [encoded(rows.map(lineOf).join(""))] as const)

/**
 * Writes CSV as RFC 4180 has it, with a header. Text that a spreadsheet would run gets an apostrophe in front, which
 * `readCsv` takes away again. A name that a row lacks becomes an empty cell.
 */
export const writeCsv =
  (header: ReadonlyArray<string>) =>
  <E, R>(rows: Stream.Stream<CsvRow, E, R>): Stream.Stream<Uint8Array, E, R> =>
    Stream.concat(
      Stream.sync(() => encoded(line(header))),
      encodedLines((row: CsvRow) => line(header.map((name) => row[name] ?? "")))(rows)
    )

/** Writes NDJSON: each row on a line of its own. */
export const writeNdjson = <A extends Schema.Json, E, R>(
  rows: Stream.Stream<A, E, R>
): Stream.Stream<Uint8Array, E, R> => encodedLines((row: A) => `${JSON.stringify(row)}\n`)(rows)
