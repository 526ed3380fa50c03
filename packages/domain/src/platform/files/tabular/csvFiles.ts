import { Effect, Option, type Schema, Stream } from "effect"
import { readRecords, type RecordFormat } from "./RecordReader.ts"
import { cellsOf, defused, scanCsv } from "./csvCells.ts"
import {
  decoded,
  encoded,
  type FaultyRecord,
  isFaulty,
  type Position,
  type Reading,
  type Scanned,
  startOfFile
} from "./recordScan.ts"

/** What may stand between the cells of a row. */
export type Delimiter = "," | ";" | "\t"

/** The cells of a row, by the names in the header. */
export type CsvRow = Readonly<Record<string, string>>

/** What the first row of a file says of all others, which start at `next`. */
export interface CsvHead {
  readonly header: ReadonlyArray<string>
  readonly delimiter: Delimiter
  readonly next: Position
}

/** What is known of the file. With a header, every row is a row of cells; without, the first one is the header. */
export interface CsvOptions {
  readonly header?: ReadonlyArray<string>
  /** The one that divides the first row into most cells, unless it is given. */
  readonly delimiter?: Delimiter
  /** Where in the file the bytes begin. */
  readonly from?: Position
}

type Cells = ReadonlyArray<string>

const delimiters: ReadonlyArray<Delimiter> = [",", ";", "\t"]

/** Rows of cells, divided by the delimiter that divides the first of them best unless it is known. */
class CellFormat implements RecordFormat<Cells> {
  private known: Delimiter | null

  constructor(known: Delimiter | null) {
    this.known = known
  }

  get delimiter(): Delimiter {
    return this.known ?? ","
  }

  scan(bytes: Uint8Array, start: number, isLast: boolean): Scanned | null {
    return this.known === null
      ? this.scanFirst(bytes, start, isLast)
      : scanCsv(bytes, start, isLast, this.known.charCodeAt(0))
  }

  parse(record: string): Cells {
    return cellsOf(record, this.delimiter)
  }

  private scanFirst(bytes: Uint8Array, start: number, isLast: boolean): Scanned | null {
    let first: Scanned | null = null
    let most = 0
    for (const delimiter of delimiters) {
      const scanned = scanCsv(bytes, start, isLast, delimiter.charCodeAt(0))
      if (scanned === null) return null
      first ??= scanned
      if (scanned.end === start || scanned.fault !== null) continue
      const { length } = cellsOf(decoded(bytes.subarray(start, scanned.end)) ?? "", delimiter)
      if (length <= most) continue
      this.known = delimiter
      first = scanned
      most = length
    }
    return first
  }
}

const headerFault = (header: Cells): string | null => {
  const nameless = header.findIndex((name) => name.trim() === "")
  if (nameless !== -1) return `Column ${nameless + 1} of the header has no name.`
  const again = header.find((name, at) => header.indexOf(name) < at)
  return again === undefined ? null : `The header has the name "${again}" more than once.`
}

const checkedHeader = (reading: Reading<Cells>): Reading<Cells> => {
  if (isFaulty(reading)) return reading
  const fault = headerFault(reading.cells)
  return fault === null ? reading : { line: reading.line, next: reading.next, fault }
}

const counted = (count: number) => (count === 1 ? "1 cell" : `${count} cells`)

/** Plain assignment is the fastest, but to `__proto__` it is none. */
const rowMaker = (header: ReadonlyArray<string>): ((cells: ReadonlyArray<string>) => CsvRow) =>
  header.includes("__proto__")
    ? (cells) => Object.fromEntries(header.map((name, at) => [name, cells[at] ?? ""]))
    : (cells) => {
        const row: Record<string, string> = {}
        let at = 0
        for (const name of header) row[name] = cells[at++] ?? ""
        return row
      }

const rowReader = (header: ReadonlyArray<string>) => {
  const rowOf = rowMaker(header)
  return (reading: Reading<Cells>): Reading<CsvRow> => {
    if (isFaulty(reading)) return reading
    const { cells, line, next } = reading
    if (cells.length === header.length) return { line, next, cells: rowOf(cells) }
    return { line, next, fault: `The row has ${counted(cells.length)}, and the header has ${header.length}.` }
  }
}

const emptyFile = (from: Position): FaultyRecord => ({ line: from.line, next: from, fault: "The file is empty." })

/** Reads the header, and what else there is to know for reading on from `next`, maybe later and elsewhere. */
export const readCsvHead =
  (options: Omit<CsvOptions, "header"> = {}) =>
  <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Effect.Effect<CsvHead | FaultyRecord, E, R> =>
    Effect.suspend(() => {
      const format = new CellFormat(options.delimiter ?? null)
      return readRecords(
        format,
        options.from
      )(bytes).pipe(
        Stream.runHead,
        Effect.map((first) => {
          if (Option.isNone(first)) return emptyFile(options.from ?? startOfFile)
          const header = checkedHeader(first.value)
          if (isFaulty(header)) return header
          return { header: header.cells, delimiter: format.delimiter, next: header.next }
        })
      )
    })

/**
 * Reads CSV in constant memory, row by row: RFC 4180, with any line ends. A row that is faulty does not end it, a
 * header that is faulty does. What `writeCsv` defused is given as it was before.
 */
export const readCsv =
  (options: CsvOptions = {}) =>
  <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<Reading<CsvRow>, E, R> =>
    Stream.suspend(() => {
      let toRow = options.header === undefined ? null : rowReader(options.header)
      let refused: FaultyRecord | null = null
      const rowsOf = (readings: ReadonlyArray<Reading<Cells>>): ReadonlyArray<Reading<CsvRow>> => {
        const [first] = readings
        if (toRow !== null || first === undefined) return toRow === null ? [] : readings.map(toRow)
        const header = checkedHeader(first)
        if (isFaulty(header)) {
          refused = header
          return [header]
        }
        toRow = rowReader(header.cells)
        return readings.slice(1).map(toRow)
      }
      return readRecords(
        new CellFormat(options.delimiter ?? null),
        options.from
      )(bytes).pipe(
        Stream.mapAccumArray(
          () => null,
          (state, readings) => [state, rowsOf(readings)] as const,
          { onHalt: () => (toRow === null && refused === null ? [emptyFile(options.from ?? startOfFile)] : []) }
        ),
        Stream.takeUntil((reading) => reading === refused)
      )
    })

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
