import { type LaneLease, LeaseLost } from "@parley/domain"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { isOwned } from "./isOwned.ts"

/**
 * Whether nobody else has claimed the lane `l`. The fence of the lane is looked at again by whoever had to wait for its row;
 * that of the shard is as of the statement's start, and keeps away from what the new owner has not come to yet.
 */
export const isLeased = (sql: SqlClient.SqlClient, lease: LaneLease) => sql`
  l.organization_id = ${lease.organizationId} AND l.work = ${lease.work} AND l.key = ${lease.key}
    AND l.fence = ${lease.fence}::bigint AND ${isOwned(sql, lease)}`

/** Makes the unit of work one of the owner's: until it has ended, nobody else can claim the lane. */
export const holdLane = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, lease: LaneLease) {
  const held = yield* sql`SELECT 1 FROM work_lanes AS l WHERE ${isLeased(sql, lease)} FOR SHARE OF l`
  if (held.length === 0) return yield* new LeaseLost()
})
