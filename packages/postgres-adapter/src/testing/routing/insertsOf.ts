const insert =
  /\bINSERT\s+INTO\s+(\w+)(?:\s+AS\s+\w+)?\s*\(([^)]*)\)\s*(?:VALUES\s*\(|SELECT\s+(?:DISTINCT\s+)?)([^,\s)]+)/gi

/** A table that rows are inserted into, and the place of the parameter that says whose they are; `null` when none does. */
export interface Insert {
  readonly table: string
  readonly place: number | null
}

/** Which parameter an expression is, cast or not. */
const placeIn = (expression: string) => {
  const place = /^\$(\d+)(?:::(?:uuid|text))?$/.exec(expression)?.[1]
  return place === undefined ? null : Number(place)
}

/**
 * What a statement inserts, and for whom: a plan does not tell. The organization stands first in every list of columns, as it
 * does in every key; where it does not, or is not a parameter of the statement, it is nobody's.
 */
export const insertsOf = (statement: string): ReadonlyArray<Insert> =>
  Array.from(statement.matchAll(insert), ([, table = "", columns = "", first = ""]) => ({
    table,
    place: /^\s*organization_id\b/.test(columns) ? placeIn(first) : null
  }))
