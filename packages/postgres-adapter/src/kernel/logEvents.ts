import { PgTypes } from "@effect/sql-pg"
import { DateTime, Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { PendingEvent } from "./Work.ts"

interface Row {
  readonly organization_id: string
  readonly place: number
  readonly type: string
  readonly data: object
  readonly actor_kind: string
  readonly actor_id: string
  readonly at: string
}

/** Rows with their place among the events of their organization, counted back from the last one, which is 0. */
const rowsOf = (events: ReadonlyArray<PendingEvent>): ReadonlyArray<Row> => {
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

/**
 * Logs events at the next positions of their organizations, in one statement. It locks the counters of the
 * organizations until the commit, so that positions are in the order of commits; call it right before the commit.
 */
export const logEvents = (
  sql: SqlClient.SqlClient,
  events: ReadonlyArray<PendingEvent>
): Effect.Effect<void, SqlError.SqlError> =>
  events.length === 0
    ? Effect.void
    : Effect.asVoid(sql`
        WITH fresh AS (
          SELECT * FROM jsonb_to_recordset(${PgTypes.jsonb(rowsOf(events))}) AS fresh (
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
      `)
