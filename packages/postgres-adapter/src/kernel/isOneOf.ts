import type { SqlClient, Statement } from "effect/sql"

/**
 * Whether the column has one of these ids. PostgreSQL caches no plan for a list of ids, because it expects fewer the next time. Planning takes up to
 * ten times as long as finding one id, so a single id is compared by equality.
 */
export const isOneOf = (sql: SqlClient.SqlClient, column: string, ids: ReadonlyArray<string>): Statement.Fragment => {
  const [only] = ids
  return only !== undefined && ids.length === 1
    ? sql`${sql.literal(column)} = ${only}::uuid`
    : sql`${sql.literal(column)} = ANY(${Array.from(ids)}::uuid[])`
}

/**
 * Whether the column is among these ids, for frequent queries with varying numbers. The planner does not see the number, so it caches the plan and
 * uses the index.
 */
export const isAmong = (sql: SqlClient.SqlClient, column: string, ids: ReadonlyArray<string>): Statement.Fragment =>
  sql`${sql.literal(column)} = ANY(ARRAY(SELECT unnest(${Array.from(ids)}::uuid[])))`
