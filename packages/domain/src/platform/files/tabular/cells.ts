import { restored } from "./defuse.ts"

const quote = 34

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
