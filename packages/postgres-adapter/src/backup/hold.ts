import type { DateTime } from "effect"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, stamp, utc } from "../kernel/columns.ts"

/** A restored installation that starts no background work. */
export interface Hold {
  readonly since: DateTime.Utc
  /** Name of the restored file. */
  readonly file: string
  readonly snapshotAt: DateTime.Utc
}

/** Number of waiting units that leave the installation after the release. */
export interface HeldWork {
  readonly messages: number
  readonly broadcastRecipients: number
  /** Scheduled and sending broadcasts that do not have all their recipients yet. */
  readonly unlistedBroadcasts: number
  readonly webhookDeliveries: number
  readonly automationRuns: number
  readonly workflowRuns: number
  readonly pluginCalls: number
  readonly emails: number
  readonly jobs: number
}

/** Puts the installation on hold. */
export const placeHold = (sql: SqlClient.SqlClient, { file, since, snapshotAt }: Hold) => sql`
  INSERT INTO installation_hold (is_held, since, file, snapshot_at)
  VALUES (true, ${stamp(since)}, ${file}, ${stamp(snapshotAt)})
  ON CONFLICT (is_held) DO UPDATE SET since = excluded.since, file = excluded.file, snapshot_at = excluded.snapshot_at`

/** The hold of the installation; `null` without one. */
export const readHold = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly since: Instant; readonly file: string; readonly snapshotAt: Instant }>`
    SELECT since, file, snapshot_at AS "snapshotAt" FROM installation_hold`
  return row === undefined ? null : { since: utc(row.since), file: row.file, snapshotAt: utc(row.snapshotAt) }
})

/** A reader of the hold on the database of the client. */
export const holdReader = Effect.map(SqlClient.SqlClient, (sql) =>
  Effect.orDie(Effect.provideService(readHold, SqlClient.SqlClient, sql))
)

/** Ends the hold. */
export const releaseHold = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM installation_hold`
})

/** Counts the work that waits. */
export const countHeldWork = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<HeldWork>`
    SELECT (SELECT count(*)::integer FROM send_queue) AS messages,
      (SELECT coalesce(sum(p.pending + p.in_flight), 0)::integer FROM broadcast_progress AS p
        JOIN broadcasts AS b ON b.organization_id = p.organization_id AND b.id = p.broadcast_id
        WHERE b.status IN ('scheduled', 'sending')) AS "broadcastRecipients",
      (SELECT count(*)::integer FROM broadcasts
        WHERE status IN ('scheduled', 'sending') AND frozen_at IS NULL) AS "unlistedBroadcasts",
      (SELECT count(*)::integer FROM webhook_deliveries WHERE state = 'pending') AS "webhookDeliveries",
      (SELECT count(*)::integer FROM automation_runs WHERE queue IN ('ready', 'waiting')) AS "automationRuns",
      (SELECT count(*)::integer FROM workflow_runs WHERE ended_at IS NULL) AS "workflowRuns",
      (SELECT count(*)::integer FROM plugin_lifecycle_calls)
        + (SELECT count(*)::integer FROM plugin_calls WHERE due_at IS NOT NULL) AS "pluginCalls",
      (SELECT count(*)::integer FROM emails) AS emails,
      (SELECT count(*)::integer FROM jobs WHERE state IN ('queued', 'running')) AS jobs`
  return row ?? (yield* Effect.die(new Error("The database did not count the work.")))
})
