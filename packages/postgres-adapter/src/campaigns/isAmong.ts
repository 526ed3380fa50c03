import type { SqlClient } from "effect/sql"

/**
 * Whether a recipient `r` may be one of these. Nobody has counted yet how many a new list has: a planner that takes it for short would read
 * it whole, again and again, where it is only told which rows to join.
 */
export const isAmong = (sql: SqlClient.SqlClient, broadcastIds: ReadonlyArray<string>, seqs: ReadonlyArray<number>) =>
  sql`r.broadcast_id = ANY(${Array.from(new Set(broadcastIds))}::uuid[]) AND r.seq = ANY(${Array.from(new Set(seqs))}::integer[])`
