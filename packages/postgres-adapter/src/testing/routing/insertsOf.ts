const insert =
  /\bINSERT\s+INTO\s+(\w+)(?:\s+AS\s+\w+)?\s*\(([^)]*)\)\s*(?:VALUES\s*\(|SELECT\s+(?:DISTINCT\s+)?)([^,\s)]+)/gi

/** Table of an INSERT, and the position of the parameter with the organization; `null` without one. */
export interface Insert {
  readonly table: string
  readonly place: number | null
}

/** Position of the parameter in an expression, with or without a cast. */
const placeIn = (expression: string) => {
  const place = /^\$(\d+)(?:::(?:uuid|text))?$/.exec(expression)?.[1]
  return place === undefined ? null : Number(place)
}

/**
 * Inserts of a statement with their organization, which a plan does not show. The organization is the first column of every column list, as in every
 * key. If it is not, or is not a parameter, the insert has no organization.
 */
export const insertsOf = (statement: string): ReadonlyArray<Insert> =>
  Array.from(statement.matchAll(insert), ([, table = "", columns = "", first = ""]) => ({
    table,
    place: /^\s*organization_id\b/.test(columns) ? placeIn(first) : null
  }))
