import { Predicate, type Schema, Stream } from "effect"
import { type JsonIssue, readJson } from "../../../kernel/index.ts"
import {
  afterLineEnd,
  decodeUtf8,
  findLineEnd,
  notUtf8Message,
  type FilePosition,
  type RecordResult,
  scanLine,
  type Scanned,
  startOfFile,
  tooLongMessage
} from "./recordScan.ts"

/** Format that splits bytes into records and parses a record. */
export interface RecordFormat<Cells> {
  /** `null` when more bytes are required to find the end of the record. */
  readonly scan: (bytes: Uint8Array, start: number, isLast: boolean) => Scanned | null
  /** The cells of the record, or the reason for a failure. */
  readonly parse: (record: string) => Cells | UnreadableRow
}

/** Reason why a record has no cells. */
export class UnreadableRow {
  readonly fault: string

  constructor(fault: string) {
    this.fault = fault
  }
}

const noBytes = new Uint8Array(0)

/** Returns the length of the byte order mark at the start of a file; `null` when more bytes are required. */
const byteOrderMarkLength = (bytes: Uint8Array, isLast: boolean): number | null => {
  const mark = [0xef, 0xbb, 0xbf]
  const differs = mark.findIndex((byte, at) => bytes[at] !== byte)
  if (differs === -1) return 3
  return differs < bytes.length || isLast ? 0 : null
}

/** Buffers chunks of any size until they are worth scanning. */
class ChunkBuffer {
  private pieces: Array<Uint8Array> = []
  private size = 0
  private enough = 1

  /** Returns the buffered bytes when there are enough for another scan. */
  add(piece: Uint8Array, isLast: boolean): Uint8Array | null {
    if (piece.length > 0) this.pieces.push(piece)
    this.size += piece.length
    if (this.size < this.enough && !isLast) {
      this.keep(this.pieces.length - 1)
      return null
    }
    const [first = noBytes, ...others] = this.pieces
    if (others.length === 0) return first
    const all = new Uint8Array(this.size)
    let at = 0
    for (const each of this.pieces) {
      all.set(each, at)
      at += each.length
    }
    return all
  }

  /** Returns unused bytes to the buffer. The next scan waits for twice as many, so the total work is linear. */
  putBack(rest: Uint8Array) {
    this.pieces = rest.length === 0 ? [] : [rest.slice()]
    this.size = rest.length
    this.enough = Math.max(1, rest.length * 2)
  }

  private keep(at: number) {
    // A copy, because the source may reuse its buffer.
    const piece = this.pieces[at]
    if (piece !== undefined) this.pieces[at] = piece.slice()
  }
}

/** Reads records from chunks of bytes. */
class RecordReader<Cells> {
  private readonly inbox = new ChunkBuffer()
  private readonly format: RecordFormat<Cells>
  private offset: number
  private line: number
  private isSkipping = false

  constructor(format: RecordFormat<Cells>, from: FilePosition) {
    this.format = format
    this.offset = from.offset
    this.line = from.line
  }

  /** Reads the records that end with this chunk; `isLast` marks the last chunk. */
  read(piece: Uint8Array, isLast: boolean): ReadonlyArray<RecordResult<Cells>> {
    const bytes = this.inbox.add(piece, isLast)
    if (bytes === null) return []
    const readings: Array<RecordResult<Cells>> = []
    const start = this.offset === 0 ? byteOrderMarkLength(bytes, isLast) : 0
    const used = start === null ? 0 : this.readAll(bytes, start, isLast, readings)
    this.inbox.putBack(bytes.subarray(used))
    this.offset += used
    return readings
  }

  private readAll(bytes: Uint8Array, start: number, isLast: boolean, readings: Array<RecordResult<Cells>>): number {
    const found: Array<Scanned> = []
    const starts: Array<number> = []
    let at = start
    if (this.isSkipping) {
      const next = this.skip(bytes, at, isLast, readings)
      if (next === null) return this.dropped(bytes, at)
      at = next
    }
    const first = at
    let cutOff = false
    while (at < bytes.length && !cutOff) {
      const scanned = this.format.scan(bytes, at, isLast)
      if (scanned === null) break
      found.push(scanned)
      starts.push(at)
      at = scanned.next
      cutOff = scanned.isCutOff
    }
    this.parseAll(bytes, first, at, found, starts, readings)
    if (!cutOff) return at
    this.isSkipping = true
    return this.readAll(bytes, at, isLast, readings)
  }

  /** Skips to the end of a line that is too long; `null` when the end is not in the buffer yet. */
  private skip(bytes: Uint8Array, from: number, isLast: boolean, readings: Array<RecordResult<Cells>>): number | null {
    const end = findLineEnd(bytes, from)
    const next = end < bytes.length ? afterLineEnd(bytes, end, isLast) : isLast ? end : null
    if (next === null) return null
    this.isSkipping = false
    readings.push({ line: this.line, next: { offset: this.offset + next, line: this.line + 1 }, fault: tooLongMessage })
    this.line += 1
    return next
  }

  /** Returns how many bytes of a skipped line can be dropped: all, except a CR that may belong to a CRLF. */
  private dropped(bytes: Uint8Array, from: number): number {
    return findLineEnd(bytes, from)
  }

  private parseAll(
    bytes: Uint8Array,
    from: number,
    to: number,
    found: ReadonlyArray<Scanned>,
    starts: ReadonlyArray<number>,
    readings: Array<RecordResult<Cells>>
  ) {
    // In ASCII, text offsets equal byte offsets, so all records can be cut from one text.
    const all = decodeUtf8(bytes.subarray(from, to))
    const ascii = all !== null && all.length === to - from ? all : null
    for (const [index, scanned] of found.entries()) {
      const start = starts[index] ?? from
      const { end, fault, isCutOff, lines } = scanned
      const line = this.line
      this.line += lines
      if (isCutOff || end === start) continue
      const next = { offset: this.offset + scanned.next, line: this.line }
      if (fault !== null) {
        readings.push({ line, next, fault })
        continue
      }
      const record = ascii === null ? decodeUtf8(bytes.subarray(start, end)) : ascii.slice(start - from, end - from)
      if (record === null) {
        readings.push({ line, next, fault: notUtf8Message })
        continue
      }
      const cells = this.format.parse(record)
      readings.push(cells instanceof UnreadableRow ? { line, next, fault: cells.fault } : { line, next, cells })
    }
  }
}

/** Reads the records of a file from the position on. */
export const readRecords =
  <Cells>(format: RecordFormat<Cells>, from: FilePosition = startOfFile) =>
  <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<RecordResult<Cells>, E, R> =>
    Stream.mapAccum(
      bytes,
      () => new RecordReader(format, from),
      (reader, piece) => [reader, reader.read(piece, false)] as const,
      { onHalt: (reader) => reader.read(noBytes, true) }
    )

/** A row of NDJSON: a JSON object. */
export type NdjsonRow = Schema.JsonObject

const isJsonObject = (value: unknown): value is NdjsonRow => Predicate.isObject(value)

const describeJsonIssues = ([fault]: ReadonlyArray<JsonIssue>): string =>
  fault === undefined || fault.path.length === 0
    ? "The row is not valid JSON."
    : `In ${fault.path.join("/")}: ${fault.message}.`

const ndjsonFormat: RecordFormat<NdjsonRow> = {
  scan: scanLine,
  parse: (record) => {
    const reading = readJson(record)
    if ("faults" in reading) return new UnreadableRow(describeJsonIssues(reading.faults))
    return isJsonObject(reading.value) ? reading.value : new UnreadableRow("The row is not a JSON object.")
  }
}

/** Reads NDJSON row by row in constant memory. `from` is the position of the first byte in the file. */
export const readNdjson =
  ({ from }: { readonly from?: FilePosition } = {}) =>
  <E, R>(bytes: Stream.Stream<Uint8Array, E, R>): Stream.Stream<RecordResult<NdjsonRow>, E, R> =>
    readRecords(ndjsonFormat, from)(bytes)
