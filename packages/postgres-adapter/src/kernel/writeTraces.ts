import { PgTypes } from "@effect/sql-pg"
import { DateTime, Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { aboveTenants } from "./aboveTenants.ts"
import type { PendingEntry, PendingEvent, Traces } from "./Work.ts"

/** Events with their place among those of their organization, counted back from the last one, which is 0. */
const rowsOfEvents = (events: ReadonlyArray<PendingEvent>) => {
  const seen = new Map<string, number>()
  return events
    .toReversed()
    .map(({ actor, at, event, organizationId }) => {
      const place = seen.get(organizationId) ?? 0
      seen.set(organizationId, place + 1)
      const { type, ...data } = event
      return {
        organization_id: organizationId,
        place,
        type,
        data,
        actor_kind: actor.kind,
        actor_id: actor.id,
        at: DateTime.formatIso(at)
      }
    })
    .toReversed()
}

const rowOfEntry = ({ entry, organizationId }: PendingEntry) => ({
  organization_id: organizationId,
  id: entry.id,
  actor_kind: entry.actor.kind,
  actor_id: entry.actor.id,
  action: entry.action,
  target_kind: entry.target.kind,
  target_id: entry.target.id,
  before: entry.before,
  after: entry.after,
  request_id: entry.requestId,
  at: DateTime.formatIso(entry.at)
})

/**
 * Writes entries of the audit log, and logs events at the next positions of their organizations, in one statement. It
 * locks the counters of the organizations until the commit, so that positions are in the order of commits; call it with
 * events right before the commit only. A unit of work may leave traces in several organizations, so that each row has its
 * own, and the statement is nobody's.
 */
export const writeTraces = (
  sql: SqlClient.SqlClient,
  { entries, events }: Traces
): Effect.Effect<void, SqlError.SqlError> =>
  entries.length + events.length === 0
    ? Effect.void
    : aboveTenants(sql`
        WITH entered AS (
          INSERT INTO audit_events (organization_id, id, actor_kind, actor_id, action, target_kind, target_id, before,
            after, request_id, at)
          SELECT * FROM jsonb_to_recordset(${PgTypes.jsonb(entries.map(rowOfEntry))}) AS entry (
            organization_id uuid, id uuid, actor_kind text, actor_id text, action text, target_kind text, target_id text,
            before jsonb, after jsonb, request_id text, at timestamptz
          )
        ), fresh AS (
          SELECT * FROM jsonb_to_recordset(${PgTypes.jsonb(rowsOfEvents(events))}) AS fresh (
            organization_id uuid, place integer, type text, data jsonb, actor_kind text, actor_id text, at timestamptz
          )
        ), heads AS (
          INSERT INTO event_heads AS heads (organization_id, head)
          SELECT organization_id, count(*) FROM fresh GROUP BY organization_id ORDER BY organization_id
          ON CONFLICT (organization_id) DO UPDATE SET head = heads.head + excluded.head
          RETURNING heads.organization_id, heads.head
        )
        INSERT INTO events (organization_id, position, type, data, actor_kind, actor_id, at)
        SELECT fresh.organization_id, heads.head - fresh.place, fresh.type, fresh.data, fresh.actor_kind, fresh.actor_id, fresh.at
        FROM fresh JOIN heads ON heads.organization_id = fresh.organization_id
      `).pipe(Effect.asVoid)
