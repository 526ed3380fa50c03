/** Position after a record in a file: its byte offset and its line number. */
export interface FilePosition {
  readonly offset: number
  readonly line: number
}

export const startOfFile: FilePosition = { offset: 0, line: 1 }

/** Record with its first line, and the start of the next record. */
export interface ParsedRecord<Cells> {
  readonly line: number
  readonly next: FilePosition
  readonly cells: Cells
}

/** Invalid record with the reason. Reading continues after it. */
export interface InvalidRecord {
  readonly line: number
  readonly next: FilePosition
  readonly fault: string
}

/** Result of reading one record. */
export type RecordResult<Cells> = ParsedRecord<Cells> | InvalidRecord

export const isInvalidRecord = (reading: object): reading is InvalidRecord => "fault" in reading

/** Maximum size of one record in bytes. */
export const maxRecordBytes = 1024 * 1024

export const tooLongMessage = "The row is longer than 1 MiB."
export const notUtf8Message = "The row is not valid UTF-8. Save the file as UTF-8."

/** Scanned record: it ends before `end`, and the next one starts at `next`, `lines` lines below. */
export interface Scanned {
  readonly end: number
  readonly next: number
  readonly lines: number
  readonly fault: string | null
  /** Whether its line continues after `next`; the rest must be skipped. */
  readonly isCutOff: boolean
}

const lineFeed = 10
const carriageReturn = 13

/** Whether the byte ends a line or starts a line end. */
export const endsLine = (byte: number | undefined): boolean => byte === lineFeed || byte === carriageReturn

/** Returns the offset after the line end at `at`: LF, CRLF or CR. `null` when one more byte is required. */
export const afterLineEnd = (bytes: Uint8Array, at: number, isLast: boolean): number | null => {
  if (bytes[at] === lineFeed) return at + 1
  if (at + 1 < bytes.length) return bytes[at + 1] === lineFeed ? at + 2 : at + 1
  return isLast ? at + 1 : null
}

/** Finds the next CR or LF; `to` if there is none. */
export const findLineEnd = (bytes: Uint8Array, from: number, to = bytes.length): number => {
  let at = from
  while (at < to && !endsLine(bytes[at])) at++
  return at
}

/** Returns the maximum end of a record at this start. It includes one more byte to detect records that are too long. */
export const maxRecordEnd = (bytes: Uint8Array, start: number): number =>
  Math.min(bytes.length, start + maxRecordBytes + 1)

/** Scans one line as a record; `null` when more bytes are required to find its end. */
export const scanLine = (
  bytes: Uint8Array,
  start: number,
  isLast: boolean,
  fault: string | null = null
): Scanned | null => {
  const end = findLineEnd(bytes, start, maxRecordEnd(bytes, start))
  if (end - start > maxRecordBytes) {
    return { end, next: end, lines: 0, fault: tooLongMessage, isCutOff: true }
  }
  const next = end < bytes.length ? afterLineEnd(bytes, end, isLast) : isLast ? end : null
  return next === null ? null : { end, next, lines: 1, fault, isCutOff: false }
}

// Every platform provides these two, but the ECMAScript library does not declare them.
declare const TextDecoder: new (
  label: "utf-8",
  options: { readonly fatal: true; readonly ignoreBOM: true }
) => { readonly decode: (bytes: Uint8Array) => string }
declare const TextEncoder: new () => { readonly encode: (text: string) => Uint8Array }

// A byte order mark inside a file is ordinary text.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
const encoder = new TextEncoder()

/** Decodes UTF-8; `null` for invalid bytes. */
export const decodeUtf8 = (bytes: Uint8Array): string | null => {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

export const encodeUtf8 = (text: string): Uint8Array => encoder.encode(text)
