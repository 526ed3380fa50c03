import { isFaulty, type Reading } from "../../platform/files/index.ts"
import { storable } from "./storable.ts"

/** The names of the cells that rows have, each once and in their order, without those that are known. */
export const columnsIn = (
  rows: ReadonlyArray<Reading<object>>,
  known: ReadonlyArray<string> = []
): ReadonlyArray<string> => {
  const seen = new Set(known)
  const found: Array<string> = []
  for (const row of rows) {
    for (const name of isFaulty(row) ? [] : Object.keys(row.cells)) {
      const column = storable(name)
      if (seen.has(column)) continue
      seen.add(column)
      found.push(column)
    }
  }
  return found
}
