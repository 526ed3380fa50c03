import { longestRecord, tooLong } from "./Reading.ts"

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
