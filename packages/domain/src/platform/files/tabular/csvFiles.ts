import { Effect, Option, type Schema, Stream } from "effect"
import { readRecords, type RecordFormat } from "./RecordReader.ts"
import { parseCells, escapeFormula, scanCsv } from "./csvCells.ts"
import {
  decodeUtf8,
  encodeUtf8,
  type InvalidRecord,
  isInvalidRecord,
  type FilePosition,
  type RecordResult,
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
  readonly next: FilePosition
}

/** What is known of the file. With a header, every row is a row of cells; without, the first one is the header. */
export interface CsvOptions {
  readonly header?: ReadonlyArray<string>
  /** The one that divides the first row into most cells, unless it is given. */
  readonly delimiter?: Delimiter
  /** Where in the file the bytes begin. */
  readonly from?: FilePosition
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
    return parseCells(record, this.delimiter)
  }

  private scanFirst(bytes: Uint8Array, start: number, isLast: boolean): Scanned | null {
    let first: Scanned | null = null
    let most = 0
    for (const delimiter of delimiters) {
      const scanned = scanCsv(bytes, start, isLast, delimiter.charCodeAt(0))
      if (scanned === null) return null
      first ??= scanned
      if (scanned.end === start || scanned.fault !== null) continue
      const { length } = parseCells(decodeUtf8(bytes.subarray(start, scanned.end)) ?? "", delimiter)
      if (length <= most) continue
      this.known = delimiter
      first = scanned
      most = length
    }
    return first
  }
}

const headerIssue = (header: Cells): string | null => {
  const nameless = header.findIndex((name) => name.trim() === "")
  if (nameless !== -1) return `Column ${nameless + 1} of the header has no name.`
  const again = header.find((name, at) => header.indexOf(name) < at)
  return again === undefined ? null : `The header has the name "${again}" more than once.`
}

const checkHeader = (reading: RecordResult<Cells>): RecordResult<Cells> => {
  if (isInvalidRecord(reading)) return reading
  const fault = headerIssue(reading.cells)
  return fault === null ? reading : { line: reading.line, next: reading.next, fault }
}

const formatCellCount = (count: number) => (count === 1 ? "1 cell" : `${count} cells`)

/** Plain assignment is the fastest, but to `__proto__` it is none. */
const makeRowBuilder = (header: ReadonlyArray<string>): ((cells: ReadonlyArray<string>) => CsvRow) =>
  header.includes("__proto__")
    ? (cells) => Object.fromEntries(header.map((name, at) => [name, cells[at] ?? ""]))
    : (cells) => {
        const row: Record<string, string> = {}
        let at = 0
        for (const name of header) row[name] = cells[at++] ?? ""
        return row
      }

const makeRowReader = (header: ReadonlyArray<string>) => {
  const rowOf = makeRowBuilder(header)
  return (reading: RecordResult<Cells>): RecordResult<CsvRow> => {
    if (isInvalidRecord(reading)) return reading
    const { cells, line, next } = reading
    if (cells.length === header.length) return { line, next, cells: rowOf(cells) }
    return { line, next, fault: `The row has ${formatCellCount(cells.length)}, and the header has ${header.length}.` }
  }
}

const toEmptyFileRecord = (from: FilePosition): InvalidRecord => ({
  line: from.line,
  next: from,
  fault: "The file is empty."
})

/** Reads the header, and what else there is to know for reading on from `next`, maybe later and elsewhere. */
export const readCsvHead =
  (options: Omit<CsvOptions, "header"> = {}) =>
  <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Effect.Effect<CsvHead | InvalidRecord, E, R> =>
    Effect.suspend(() => {
      const format = new CellFormat(options.delimiter ?? null)
      return readRecords(
        format,
        options.from
      )(bytes).pipe(
        Stream.runHead,
        Effect.map((first) => {
          if (Option.isNone(first)) return toEmptyFileRecord(options.from ?? startOfFile)
          const header = checkHeader(first.value)
          if (isInvalidRecord(header)) return header
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
  <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<RecordResult<CsvRow>, E, R> =>
    Stream.suspend(() => {
      let toRow = options.header === undefined ? null : makeRowReader(options.header)
      let refused: InvalidRecord | null = null
      const rowsOf = (readings: ReadonlyArray<RecordResult<Cells>>): ReadonlyArray<RecordResult<CsvRow>> => {
        const [first] = readings
        if (toRow !== null || first === undefined) return toRow === null ? [] : readings.map(toRow)
        const header = checkHeader(first)
        if (isInvalidRecord(header)) {
          refused = header
          return [header]
        }
        toRow = makeRowReader(header.cells)
        return readings.slice(1).map(toRow)
      }
      return readRecords(
        new CellFormat(options.delimiter ?? null),
        options.from
      )(bytes).pipe(
        Stream.mapAccumArray(
          () => null,
          (state, readings) => [state, rowsOf(readings)] as const,
          { onHalt: () => (toRow === null && refused === null ? [toEmptyFileRecord(options.from ?? startOfFile)] : []) }
        ),
        Stream.takeUntil((reading) => reading === refused)
      )
    })

const quotedCharacterPattern = /[",;\t\r\n]/u

const encodeCell = (text: string): string => {
  const cell = escapeFormula(text)
  return quotedCharacterPattern.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

const encodeLine = (cells: ReadonlyArray<string>): string => {
  const text = cells.map(encodeCell).join(",")
  // A line without anything is no row.
  return text === "" ? '""\r\n' : `${text}\r\n`
}

const encodeLines = <A>(lineOf: (row: A) => string) =>
  Stream.mapArray((rows: readonly [A, ...Array<A>]) => [encodeUtf8(rows.map(lineOf).join(""))] as const)

/**
 * Writes CSV as RFC 4180 has it, with a header. Text that a spreadsheet would run gets an apostrophe in front, which
 * `readCsv` takes away again. A name that a row lacks becomes an empty cell.
 */
export const writeCsv =
  (header: ReadonlyArray<string>) =>
  <E, R>(rows: Stream.Stream<CsvRow, E, R>): Stream.Stream<Uint8Array, E, R> =>
    Stream.concat(
      Stream.sync(() => encodeUtf8(encodeLine(header))),
      encodeLines((row: CsvRow) => encodeLine(header.map((name) => row[name] ?? "")))(rows)
    )

/** Writes NDJSON: each row on a line of its own. */
export const writeNdjson = <A extends Schema.Json, E, R>(
  rows: Stream.Stream<A, E, R>
): Stream.Stream<Uint8Array, E, R> => encodeLines((row: A) => `${JSON.stringify(row)}\n`)(rows)
