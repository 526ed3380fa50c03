import { behindLineEnd, endsLine, longestRecord, reachOf, scanLine, type Scanned, tooLong } from "./recordScan.ts"

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

/**
 * Characters that a spreadsheet skips before it reads a cell: space, controls, and zero-width characters such as soft hyphens, direction marks,
 * joiners, variation selectors and the byte order mark.
 */
const unseen = String.raw`[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]`

const formula = new RegExp(`^'*(?:[\\t\\r\\n]|${unseen}*[=+\\-@＝＋－＠])`, "u")
const plainNumber = /^[+-]?\d+(?:\.\d+)?$/u

/**
 * Whether a spreadsheet could take the text for a formula, with or without apostrophes in front. A number is none, and
 * neither is a phone number: nothing of it runs.
 */
const looksLikeFormula = (text: string) => formula.test(text) && !plainNumber.test(text.replace(/^'+/u, ""))

/** The text, with an apostrophe in front where a spreadsheet could run it. */
export const defused = (text: string): string => (looksLikeFormula(text) ? `'${text}` : text)

/** The text as it was before it was defused. */
const restored = (text: string): string => (text.charCodeAt(0) === 39 && looksLikeFormula(text) ? text.slice(1) : text)

const quotedCell = (text: string, from: number, to: number): string => {
  const cell = text.slice(from, to)
  return cell.includes('""') ? cell.replaceAll('""', '"') : cell
}

/** Where the quote is that closes the cell which is open there. */
const closingQuote = (text: string, from: number): number => {
  let at = text.indexOf('"', from)
  while (text.charCodeAt(at + 1) === quote) at = text.indexOf('"', at + 2)
  return at
}

/** The cells of a record in which the quotes are as they should be. */
export const cellsOf = (record: string, delimiter: string): ReadonlyArray<string> => {
  const cells: Array<string> = []
  let at = 0
  for (;;) {
    let cellEnd: number
    if (record.charCodeAt(at) === quote) {
      const closing = closingQuote(record, at + 1)
      cells.push(restored(quotedCell(record, at + 1, closing)))
      cellEnd = closing + 1
    } else {
      const found = record.indexOf(delimiter, at)
      cellEnd = found === -1 ? record.length : found
      cells.push(restored(record.slice(at, cellEnd)))
    }
    if (cellEnd >= record.length) return cells
    at = cellEnd + 1
  }
}
