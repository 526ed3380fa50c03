import type { Scan } from "./readPlan.ts"

const insert =
  /\bINSERT\s+INTO\s+(\w+)(?:\s+AS\s+\w+)?\s*\(([^)]*)\)\s*(?:VALUES\s*\(|SELECT\s+(?:DISTINCT\s+)?)([^,\s)]+)/gi

/** The constant that an expression is: a parameter, cast or not. */
const constantIn = (expression: string, values: ReadonlyArray<unknown>): string | null => {
  const place = /^\$(\d+)(?:::(?:uuid|text))?$/.exec(expression)?.[1]
  const value = place === undefined ? undefined : values[Number(place) - 1]
  return typeof value === "string" ? value : null
}

/**
 * What a statement inserts, and for whom: a plan does not tell. The organization stands first in every list of columns, as it
 * does in every key; where it does not, or is not a parameter of the statement, it is nobody's.
 */
export const insertsOf = (statement: string, values: ReadonlyArray<unknown>): ReadonlyArray<Scan> =>
  Array.from(statement.matchAll(insert), ([, table = "", columns = "", first = ""]) => ({
    table,
    organization: /^\s*organization_id\b/.test(columns) ? constantIn(first, values) : null
  }))
