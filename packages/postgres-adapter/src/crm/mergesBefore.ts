import type { SqlClient } from "effect/sql"

/**
 * The merges in a row's `handed_by` that precede this one, which must be among them. An array slice would be shorter, but not every
 * tool that deparses SQL can write one back.
 */
export const mergesBefore = (sql: SqlClient.SqlClient, mergeId: string) =>
  sql`trim_array(handed_by, cardinality(handed_by) - array_position(handed_by, ${mergeId}::uuid) + 1)`
