import type { SqlClient } from "effect/sql"

/**
 * Merges in a row's `transferred_by` before this one, which must be in the list. An array slice would be shorter, but not every SQL deparser can print
 * one.
 */
export const mergesBefore = (sql: SqlClient.SqlClient, mergeId: string) =>
  sql`trim_array(transferred_by, cardinality(transferred_by) - array_position(transferred_by, ${mergeId}::uuid) + 1)`
