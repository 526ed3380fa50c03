import type { SqlClient, Statement } from "effect/sql"

/**
 * Whether it is one of these ids. PostgreSQL keeps no plan for a list of ids, because it hopes for fewer the next time, and plans what asks for
 * one as long as ten times what it takes to find it: so one is asked for by equality.
 */
export const isOneOf = (sql: SqlClient.SqlClient, column: string, ids: ReadonlyArray<string>): Statement.Fragment => {
  const [only] = ids
  return only !== undefined && ids.length === 1
    ? sql`${sql.literal(column)} = ${only}::uuid`
    : sql`${sql.literal(column)} = ANY(${Array.from(ids)}::uuid[])`
}
