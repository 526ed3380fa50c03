import { longestRecord, tooLong } from "./Reading.ts"
import { behindLineEnd, endsLine, reachOf, scanLine, type Scanned } from "./scan.ts"

const lineFeed = 10
const carriageReturn = 13
const quote = 34

const unclosed = "A quoted cell is never closed."
const unclosedSoon = "A quoted cell is not closed within 1 MiB."
const textAfterQuote = "A quoted cell is followed by neither a delimiter nor the end of the row."
const quoteInside =
  'A quote stands inside of a cell that is not quoted. Quote the cell, and double the quote in it: "".'

/**
 * Finds the CSV record that starts there; `null` when it takes more bytes to say where it ends.
 *
 * A fault costs one line, so that a stray quote does not take the rest of the file with it. That this reads no line
 * over and over holds because quotes are taken strictly: a line that leaves a cell open has an odd number of quotes,
 * and so ends every cell that was left open above it.
 */
export const scanCsv = (bytes: Uint8Array, start: number, isLast: boolean, delimiter: number): Scanned | null => {
  const reach = reachOf(bytes, start)
  const faulty = (fault: string) => scanLine(bytes, start, isLast, fault)
  let lines = 1
  let at = start
  // Each time round, `at` is the start of a cell.
  for (;;) {
    if (at < reach && bytes[at] === quote) {
      at++
      for (;;) {
        while (at < reach && bytes[at] !== quote) {
          if (bytes[at] === lineFeed || (bytes[at] === carriageReturn && bytes[at + 1] !== lineFeed)) lines++
          at++
        }
        if (at >= reach || bytes[at + 1] !== quote) break
        at += 2
      }
      if (at - start > longestRecord) return faulty(unclosedSoon)
      if (at >= reach) return isLast ? faulty(unclosed) : null
      at++
      const after = bytes[at]
      if (after === undefined && !isLast) return null
      if (after !== undefined && after !== delimiter && !endsLine(after)) return faulty(textAfterQuote)
    }
    let byte = -1
    while (at < reach) {
      byte = bytes[at] ?? -1
      if (byte === delimiter || byte === quote || byte === lineFeed || byte === carriageReturn) break
      at++
    }
    if (at - start > longestRecord) return faulty(tooLong)
    if (at >= reach) return isLast ? { end: at, next: at, lines, fault: null, isCutOff: false } : null
    if (byte === quote) return faulty(quoteInside)
    if (byte !== delimiter) {
      const next = behindLineEnd(bytes, at, isLast)
      return next === null ? null : { end: at, next, lines, fault: null, isCutOff: false }
    }
    at++
  }
}
