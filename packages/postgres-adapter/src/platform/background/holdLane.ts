import { type LaneLease, LeaseLost } from "@parley/domain/platform"
import { type DateTime, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { stamp } from "../../kernel/columns.ts"
import { isOwned } from "./isOwned.ts"

/**
 * Whether no other process has claimed the lane `l`. A caller that waited for the lane's row checks its fence again. The shard's fence is as of the
 * statement's start; it protects lanes that the new owner has not reached yet.
 */
export const isLeased = (sql: SqlClient.SqlClient, lease: LaneLease) => sql`
  l.organization_id = ${lease.organizationId} AND l.task = ${lease.task} AND l.key = ${lease.key}
    AND l.fence = ${lease.fence}::bigint AND ${isOwned(sql, lease)}`

const orLost = (rows: ReadonlyArray<unknown>) => (rows.length === 0 ? Effect.fail(new LeaseLost()) : Effect.void)

/** Locks the lane for its owner: no other process can claim it until the unit of work ends. */
export const holdLane = (sql: SqlClient.SqlClient, lease: LaneLease) =>
  Effect.flatMap(sql`SELECT 1 FROM lanes AS l WHERE ${isLeased(sql, lease)} FOR SHARE OF l`, orLost)

/** Sets the due time of the lane and releases it. */
export const postponeLane = (sql: SqlClient.SqlClient, lease: LaneLease, dueAt: DateTime.Utc) =>
  Effect.flatMap(sql`UPDATE lanes AS l SET due_at = ${stamp(dueAt)} WHERE ${isLeased(sql, lease)} RETURNING 1`, orLost)

/** Closes a lane without remaining work. */
export const closeLane = (sql: SqlClient.SqlClient, lease: LaneLease) =>
  Effect.flatMap(sql`DELETE FROM lanes AS l WHERE ${isLeased(sql, lease)} RETURNING 1`, orLost)
