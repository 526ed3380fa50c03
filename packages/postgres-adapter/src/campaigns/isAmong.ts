import type { SqlClient } from "effect/sql"
import { uuids } from "../kernel/uuids.ts"

/**
 * Whether a recipient `r` may be one of these. Nobody has counted yet how many a new list has: a planner that takes it for short would read
 * it whole, again and again, where it is only told which rows to join, or which of them to pick. From the first to the last place is what it always
 * looks up; those who are sent to together mostly stand beside each other.
 */
export const isAmong = (sql: SqlClient.SqlClient, broadcastIds: ReadonlyArray<string>, seqs: ReadonlyArray<number>) => {
  const first = seqs.reduce((least, seq) => Math.min(least, seq), seqs[0] ?? 0)
  const last = seqs.reduce((most, seq) => Math.max(most, seq), seqs[0] ?? -1)
  return sql`r.broadcast_id = ANY(${uuids(Array.from(new Set(broadcastIds)))}::uuid[])
    AND r.seq = ANY(${Array.from(new Set(seqs))}::integer[]) AND r.seq BETWEEN ${first}::integer AND ${last}::integer`
}
