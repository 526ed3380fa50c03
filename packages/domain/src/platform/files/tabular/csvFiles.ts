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

/** Separator of the cells of a row. */
export type Delimiter = "," | ";" | "\t"

/** Cells of a row by header name. */
export type CsvRow = Readonly<Record<string, string>>

/** Information of the first row for all other rows, which start at `next`. */
export interface CsvHead {
  readonly header: ReadonlyArray<string>
  readonly delimiter: Delimiter
  readonly next: FilePosition
}

/** Known properties of the file. With a header, every row contains cells; without one, the first row is the header. */
export interface CsvOptions {
  readonly header?: ReadonlyArray<string>
  /** Default: the delimiter that splits the first row into the most cells. */
  readonly delimiter?: Delimiter
  /** Position of the first byte in the file. */
  readonly from?: FilePosition
}

type Cells = ReadonlyArray<string>

const delimiters: ReadonlyArray<Delimiter> = [",", ";", "\t"]

/** Parses rows of cells. Without a given delimiter, it selects the best one for the first row. */
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

/** Plain assignment is the fastest, but it does not work for `__proto__`. */
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

/** Reads the header and all information required to continue from `next`, possibly later in another process. */
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
 * Reads CSV row by row in constant memory: RFC 4180 with any line ends. An invalid row does not end the stream; an invalid header does. Formulas that
 * `writeCsv` escaped are restored.
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
  // An empty line is not a row.
  return text === "" ? '""\r\n' : `${text}\r\n`
}

const encodeLines = <A>(lineOf: (row: A) => string) =>
  Stream.mapArray((rows: readonly [A, ...Array<A>]) => [encodeUtf8(rows.map(lineOf).join(""))] as const)

/**
 * Writes CSV by RFC 4180 with a header. Text that a spreadsheet would execute gets a leading apostrophe, which `readCsv` removes. A missing name
 * results in an empty cell.
 */
export const writeCsv =
  (header: ReadonlyArray<string>) =>
  <E, R>(rows: Stream.Stream<CsvRow, E, R>): Stream.Stream<Uint8Array, E, R> =>
    Stream.concat(
      Stream.sync(() => encodeUtf8(encodeLine(header))),
      encodeLines((row: CsvRow) => encodeLine(header.map((name) => row[name] ?? "")))(rows)
    )

/** Writes NDJSON: one line per row. */
export const writeNdjson = <A extends Schema.Json, E, R>(
  rows: Stream.Stream<A, E, R>
): Stream.Stream<Uint8Array, E, R> => encodeLines((row: A) => `${JSON.stringify(row)}\n`)(rows)
