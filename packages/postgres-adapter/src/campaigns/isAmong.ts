import type { SqlClient } from "effect/sql"
import { uuids } from "../kernel/uuids.ts"

/**
 * Whether a recipient `r` is one of these. A new list has no statistics. The planner would assume it short and scan it repeatedly for a join or a
 * list of ids. A range from the first to the last place always uses the index. Recipients that are sent together are mostly adjacent.
 */
export const isAmong = (sql: SqlClient.SqlClient, broadcastIds: ReadonlyArray<string>, seqs: ReadonlyArray<number>) => {
  const first = seqs.reduce((least, seq) => Math.min(least, seq), seqs[0] ?? 0)
  const last = seqs.reduce((most, seq) => Math.max(most, seq), seqs[0] ?? -1)
  return sql`r.broadcast_id = ANY(${uuids(Array.from(new Set(broadcastIds)))}::uuid[])
    AND r.seq = ANY(${Array.from(new Set(seqs))}::integer[]) AND r.seq BETWEEN ${first}::integer AND ${last}::integer`
}
