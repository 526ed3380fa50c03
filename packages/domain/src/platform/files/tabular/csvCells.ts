import {
  afterLineEnd,
  endsLine,
  maxRecordBytes,
  maxRecordEnd,
  scanLine,
  type Scanned,
  tooLongMessage
} from "./recordScan.ts"

const lineFeed = 10
const carriageReturn = 13
const quote = 34

const unclosedMessage = "A quoted cell is never closed."
const unclosedTooLongMessage = "A quoted cell is not closed within 1 MiB."
const textAfterQuoteMessage = "A quoted cell is followed by neither a delimiter nor the end of the row."
const unexpectedQuoteMessage = 'An unquoted cell contains a quote. Quote the cell, and double the quote in it: "".'

/**
 * Finds the CSV record at the start; `null` when more bytes are required to find its end.
 *
 * An error costs one line, because a stray quote must not invalidate the rest of the file. Each line is scanned a bounded number of times, because
 * quotes are parsed strictly. A line that leaves a cell open has an odd number of quotes. It therefore ends every cell that is open above it.
 */
export const scanCsv = (bytes: Uint8Array, start: number, isLast: boolean, delimiter: number): Scanned | null => {
  const reach = maxRecordEnd(bytes, start)
  const faulty = (fault: string) => scanLine(bytes, start, isLast, fault)
  let lines = 1
  let at = start
  // In each iteration, `at` is the start of a cell.
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
      if (at - start > maxRecordBytes) return faulty(unclosedTooLongMessage)
      if (at >= reach) return isLast ? faulty(unclosedMessage) : null
      at++
      const after = bytes[at]
      if (after === undefined && !isLast) return null
      if (after !== undefined && after !== delimiter && !endsLine(after)) return faulty(textAfterQuoteMessage)
    }
    let byte = -1
    while (at < reach) {
      byte = bytes[at] ?? -1
      if (byte === delimiter || byte === quote || byte === lineFeed || byte === carriageReturn) break
      at++
    }
    if (at - start > maxRecordBytes) return faulty(tooLongMessage)
    if (at >= reach) return isLast ? { end: at, next: at, lines, fault: null, isCutOff: false } : null
    if (byte === quote) return faulty(unexpectedQuoteMessage)
    if (byte !== delimiter) {
      const next = afterLineEnd(bytes, at, isLast)
      return next === null ? null : { end: at, next, lines, fault: null, isCutOff: false }
    }
    at++
  }
}

/**
 * Characters that a spreadsheet skips before it reads a cell: space, controls, and zero-width characters such as soft hyphens, direction marks,
 * joiners, variation selectors and the byte order mark.
 */
const invisibleCharacters = String.raw`[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]`

const formulaPattern = new RegExp(`^'*(?:[\\t\\r\\n]|${invisibleCharacters}*[=+\\-@＝＋－＠])`, "u")
const plainNumberPattern = /^[+-]?\d+(?:\.\d+)?$/u

/**
 * Whether a spreadsheet could interpret the text as a formula, with or without leading apostrophes. Numbers and phone numbers are no formulas,
 * because they execute nothing.
 */
const isFormula = (text: string) => formulaPattern.test(text) && !plainNumberPattern.test(text.replace(/^'+/u, ""))

/** Adds a leading apostrophe to a text that a spreadsheet could execute. */
export const escapeFormula = (text: string): string => (isFormula(text) ? `'${text}` : text)

/** Removes the apostrophe that `escapeFormula` added. */
const unescapeFormula = (text: string): string => (text.charCodeAt(0) === 39 && isFormula(text) ? text.slice(1) : text)

const unquoteCell = (text: string, from: number, to: number): string => {
  const cell = text.slice(from, to)
  return cell.includes('""') ? cell.replaceAll('""', '"') : cell
}

/** Finds the quote that closes the cell at this offset. */
const findClosingQuote = (text: string, from: number): number => {
  let at = text.indexOf('"', from)
  while (text.charCodeAt(at + 1) === quote) at = text.indexOf('"', at + 2)
  return at
}

/** Returns the cells of a record with valid quotes. */
export const parseCells = (record: string, delimiter: string): ReadonlyArray<string> => {
  const cells: Array<string> = []
  let at = 0
  for (;;) {
    let cellEnd: number
    if (record.charCodeAt(at) === quote) {
      const closing = findClosingQuote(record, at + 1)
      cells.push(unescapeFormula(unquoteCell(record, at + 1, closing)))
      cellEnd = closing + 1
    } else {
      const found = record.indexOf(delimiter, at)
      cellEnd = found === -1 ? record.length : found
      cells.push(unescapeFormula(record.slice(at, cellEnd)))
    }
    if (cellEnd >= record.length) return cells
    at = cellEnd + 1
  }
}
