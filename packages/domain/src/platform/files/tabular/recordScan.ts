/** Where to read on in a file: a byte offset right after a record, and the number of the line that begins there. */
export interface FilePosition {
  readonly offset: number
  readonly line: number
}

/** The start of a file. */
export const startOfFile: FilePosition = { offset: 0, line: 1 }

/** A record: the line it starts in, and where the one after it starts. */
export interface ParsedRecord<Cells> {
  readonly line: number
  readonly next: FilePosition
  readonly cells: Cells
}

/** A record that cannot be read, and why. Reading goes on behind it. */
export interface InvalidRecord {
  readonly line: number
  readonly next: FilePosition
  readonly fault: string
}

/** What reading a file gives, record by record. */
export type RecordResult<Cells> = ParsedRecord<Cells> | InvalidRecord

/** Whether it is a record that cannot be read. */
export const isInvalidRecord = (reading: object): reading is InvalidRecord => "fault" in reading

/** How long one record may be, in bytes. */
export const maxRecordBytes = 1024 * 1024

export const tooLongMessage = "The row is longer than 1 MiB."
export const notUtf8Message = "The row is not valid UTF-8. Save the file as UTF-8."

/** A record that was found: it ends in front of `end`, and the one after it starts at `next`, `lines` lines below. */
export interface Scanned {
  readonly end: number
  readonly next: number
  readonly lines: number
  readonly fault: string | null
  /** Whether its line goes on behind `next`, and is to be skipped. */
  readonly isCutOff: boolean
}

const lineFeed = 10
const carriageReturn = 13

/** Whether the byte ends a line, or begins to. */
export const endsLine = (byte: number | undefined): boolean => byte === lineFeed || byte === carriageReturn

/** Just behind the line end at `at`, which is LF, CRLF or CR; `null` when it takes one more byte to say. */
export const afterLineEnd = (bytes: Uint8Array, at: number, isLast: boolean): number | null => {
  if (bytes[at] === lineFeed) return at + 1
  if (at + 1 < bytes.length) return bytes[at + 1] === lineFeed ? at + 2 : at + 1
  return isLast ? at + 1 : null
}

/** The next CR or LF, or `to`. */
export const findLineEnd = (bytes: Uint8Array, from: number, to = bytes.length): number => {
  let at = from
  while (at < to && !endsLine(bytes[at])) at++
  return at
}

/** How far a record that starts there may reach: one byte more shows that it is too long. */
export const maxRecordEnd = (bytes: Uint8Array, start: number): number =>
  Math.min(bytes.length, start + maxRecordBytes + 1)

/** The line that starts there, as one record; `null` when it takes more bytes to say where it ends. */
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

// Every platform has these two, but the library of the language itself does not declare them.
declare const TextDecoder: new (
  label: "utf-8",
  options: { readonly fatal: true; readonly ignoreBOM: true }
) => { readonly decode: (bytes: Uint8Array) => string }
declare const TextEncoder: new () => { readonly encode: (text: string) => Uint8Array }

// A byte order mark within a file is text like any other.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
const encoder = new TextEncoder()

/** The text, or `null` when the bytes are not UTF-8. */
export const decodeUtf8 = (bytes: Uint8Array): string | null => {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

/** The text as UTF-8. */
export const encodeUtf8 = (text: string): Uint8Array => encoder.encode(text)
