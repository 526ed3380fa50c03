/** Where to read on in a file: a byte offset right after a record, and the number of the line that begins there. */
export interface Position {
  readonly offset: number
  readonly line: number
}

/** The start of a file. */
export const startOfFile: Position = { offset: 0, line: 1 }

/** A record: the line it starts in, and where the one after it starts. */
export interface ReadRecord<Cells> {
  readonly line: number
  readonly next: Position
  readonly cells: Cells
}

/** A record that cannot be read, and why. Reading goes on behind it. */
export interface FaultyRecord {
  readonly line: number
  readonly next: Position
  readonly fault: string
}

/** What reading a file gives, record by record. */
export type Reading<Cells> = ReadRecord<Cells> | FaultyRecord

/** Whether it is a record that cannot be read. */
export const isFaulty = (reading: object): reading is FaultyRecord => "fault" in reading

/** How long one record may be, in bytes. */
export const longestRecord = 1024 * 1024

export const tooLong = "The row is longer than 1 MiB."
export const notUtf8 = "The row is not valid UTF-8. Save the file as UTF-8."

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
export const behindLineEnd = (bytes: Uint8Array, at: number, isLast: boolean): number | null => {
  if (bytes[at] === lineFeed) return at + 1
  if (at + 1 < bytes.length) return bytes[at + 1] === lineFeed ? at + 2 : at + 1
  return isLast ? at + 1 : null
}

/** The next CR or LF, or `to`. */
export const lineEndFrom = (bytes: Uint8Array, from: number, to = bytes.length): number => {
  let at = from
  while (at < to && !endsLine(bytes[at])) at++
  return at
}

/** How far a record that starts there may reach: one byte more shows that it is too long. */
export const reachOf = (bytes: Uint8Array, start: number): number => Math.min(bytes.length, start + longestRecord + 1)

/** The line that starts there, as one record; `null` when it takes more bytes to say where it ends. */
export const scanLine = (
  bytes: Uint8Array,
  start: number,
  isLast: boolean,
  fault: string | null = null
): Scanned | null => {
  const end = lineEndFrom(bytes, start, reachOf(bytes, start))
  if (end - start > longestRecord) {
    return { end, next: end, lines: 0, fault: tooLong, isCutOff: true }
  }
  const next = end < bytes.length ? behindLineEnd(bytes, end, isLast) : isLast ? end : null
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
export const decoded = (bytes: Uint8Array): string | null => {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

/** The text as UTF-8. */
export const encoded = (text: string): Uint8Array => encoder.encode(text)
