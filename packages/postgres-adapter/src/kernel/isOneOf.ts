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

/**
 * Whether it is among these ids, for what is asked again and again with more or fewer of them: since the planner does not see how many they are,
 * it keeps the plan, and looks for them in the index.
 */
export const isAmong = (sql: SqlClient.SqlClient, column: string, ids: ReadonlyArray<string>): Statement.Fragment =>
  sql`${sql.literal(column)} = ANY(ARRAY(SELECT unnest(${Array.from(ids)}::uuid[])))`
