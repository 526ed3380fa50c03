import { deferToNext } from "@parley/pg-pipeline"
import { PgTypes } from "@effect/sql-pg"
import { DateTime, Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { aboveTenants } from "./aboveTenants.ts"
import type { PendingEntry, PendingEvent, Traces } from "./UnitOfWorkLevel.ts"

/** Events with their position, counted back from the last one, which is 0. */
const rowsOfEvents = (events: ReadonlyArray<PendingEvent>) =>
  events.map(({ actor, at, causation, event }, index) => {
    const { type, ...data } = event
    return {
      place: events.length - 1 - index,
      type,
      data,
      actor_kind: actor.kind,
      actor_id: actor.id,
      ...(causation === null ? {} : { causation }),
      at: DateTime.formatIso(at)
    }
  })

const rowOfEntry = ({ entry }: PendingEntry) => ({
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

/** Nearly every unit of work writes traces in one organization. With several, the counters are locked in one order. */
const byOrganization = ({ entries, events }: Traces) =>
  Array.from(new Set([...entries, ...events].map(({ organizationId }) => organizationId)))
    .toSorted()
    .map((organizationId) => ({
      organizationId,
      entries: entries.filter((entry) => entry.organizationId === organizationId),
      events: events.filter((event) => event.organizationId === organizationId)
    }))

/**
 * Writes audit entries and appends events to the logs of their organizations, in one statement per organization. The statement locks the counters of
 * the organizations until the commit, so positions follow the commit order. Call it with events only right before the commit. They are sent with it,
 * and the lock lasts only as long as the commit. The statement is not tenant-scoped, because a unit of work can write traces in other organizations.
 */
export const writeTraces = (sql: SqlClient.SqlClient, traces: Traces): Effect.Effect<void, SqlError.SqlError> =>
  Effect.forEach(
    byOrganization(traces),
    ({ entries, events, organizationId }) =>
      aboveTenants(sql`
        WITH entered AS (
          INSERT INTO audit_events (organization_id, id, actor_kind, actor_id, action, target_kind, target_id, before,
            after, request_id, at)
          SELECT ${organizationId}::uuid, * FROM jsonb_to_recordset(${PgTypes.jsonb(entries.map(rowOfEntry))}) AS entry (
            id uuid, actor_kind text, actor_id text, action text, target_kind text, target_id text,
            before jsonb, after jsonb, request_id text, at timestamptz
          )
        ), fresh AS (
          SELECT * FROM jsonb_to_recordset(${PgTypes.jsonb(rowsOfEvents(events))}) AS fresh (
            place integer, type text, data jsonb, actor_kind text, actor_id text, causation jsonb, at timestamptz
          )
        ), counter AS (
          INSERT INTO event_heads AS heads (organization_id, head)
          SELECT ${organizationId}::uuid, count(*) FROM fresh HAVING count(*) > 0
          ON CONFLICT (organization_id) DO UPDATE SET head = heads.head + excluded.head
          RETURNING heads.head
        )
        INSERT INTO events (organization_id, position, type, data, actor_kind, actor_id, causation, at)
        SELECT ${organizationId}::uuid, counter.head - fresh.place, fresh.type, fresh.data, fresh.actor_kind,
          fresh.actor_id, fresh.causation, fresh.at
        FROM fresh CROSS JOIN counter`),
    { discard: true }
  ).pipe(deferToNext)
