import { type LaneLease, LeaseLost } from "@parley/domain"
import { type DateTime, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { stamp } from "../../kernel/columns.ts"
import { isOwned } from "./isOwned.ts"

/**
 * Whether nobody else has claimed the lane `l`. The fence of the lane is looked at again by whoever had to wait for its row;
 * that of the shard is as of the statement's start, and keeps away from what the new owner has not come to yet.
 */
export const isLeased = (sql: SqlClient.SqlClient, lease: LaneLease) => sql`
  l.organization_id = ${lease.organizationId} AND l.work = ${lease.work} AND l.key = ${lease.key}
    AND l.fence = ${lease.fence}::bigint AND ${isOwned(sql, lease)}`

const orLost = (rows: ReadonlyArray<unknown>) => (rows.length === 0 ? Effect.fail(new LeaseLost()) : Effect.void)

/** Makes the unit of work one of the owner's: until it has ended, nobody else can claim the lane. */
export const holdLane = (sql: SqlClient.SqlClient, lease: LaneLease) =>
  Effect.flatMap(sql`SELECT 1 FROM work_lanes AS l WHERE ${isLeased(sql, lease)} FOR SHARE OF l`, orLost)

/** The lane is due then, and in nobody's hands. */
export const postponeLane = (sql: SqlClient.SqlClient, lease: LaneLease, dueAt: DateTime.Utc) =>
  Effect.flatMap(
    sql`UPDATE work_lanes AS l SET due_at = ${stamp(dueAt)} WHERE ${isLeased(sql, lease)} RETURNING 1`,
    orLost
  )

/** There is nothing left to do in the lane. */
export const closeLane = (sql: SqlClient.SqlClient, lease: LaneLease) =>
  Effect.flatMap(sql`DELETE FROM work_lanes AS l WHERE ${isLeased(sql, lease)} RETURNING 1`, orLost)
