import { PgTypes } from "@effect/sql-pg"
import { CurrentOrganization, NotFound } from "@parley/domain/kernel"
import { ParkedEvent, type EventConsumerName, EventCursor, EventCursors } from "@parley/domain/platform"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { asWritten, type Instant, stamp, utc, utcOrNull } from "../../kernel/columns.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"
import { Notifications } from "./Notifications.ts"

interface Row {
  readonly consumer: EventConsumerName
  readonly position: bigint | null
  readonly head: bigint
  readonly nextPosition: bigint | null
  readonly nextType: string | null
  readonly nextAt: Instant | null
  readonly attempts: number
  readonly reason: string | null
  readonly retryAt: Instant | null
  readonly parked: number
  readonly replay: bigint | null
}

const numberOrNull = (value: bigint | null) => (value === null ? null : Number(value))

const subscriptionOf = ({ nextAt, nextPosition, nextType, ...row }: Row) =>
  new EventCursor(
    {
      ...row,
      position: numberOrNull(row.position),
      head: Number(row.head),
      next:
        nextPosition === null || nextType === null || nextAt === null
          ? null
          : { position: Number(nextPosition), type: nextType, at: utc(nextAt) },
      retryAt: utcOrNull(row.retryAt),
      replay: numberOrNull(row.replay)
    },
    asWritten
  )

interface ParkedRow {
  readonly consumer: EventConsumerName
  readonly position: bigint
  readonly type: string
  readonly attempts: number
  readonly reason: string
  readonly parkedAt: Instant
  readonly isReplayed: boolean
}

const parkedOf = (row: ParkedRow) =>
  new ParkedEvent({ ...row, position: Number(row.position), parkedAt: utc(row.parkedAt) }, asWritten)

export const layer = Layer.effect(
  EventCursors,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { logged } = yield* Notifications
    // Retry time of a paused event consumer.
    const never = sql.literal("'infinity'::timestamptz")
    const wake = Effect.flatMap(CurrentOrganization, ({ id }) => sql.afterCommit(logged(new Set([id]))))

    return tenantPort(EventCursors, {
      list: Effect.fnUntraced(function* ({ id }, consumers) {
        const asked = consumers.map(({ name, types }, place) => ({
          place,
          name,
          types: types === "all" ? null : types
        }))
        const rows = yield* sql<Row>`
          SELECT asked.name AS consumer, c.position, coalesce(h.head, 0) AS head,
            n.position AS "nextPosition", n.type AS "nextType", n.at AS "nextAt",
            coalesce(c.attempts, 0) AS attempts, c.reason, nullif(c.retry_at, ${never}) AS "retryAt",
            (SELECT count(*)::integer FROM parked_events AS p
              WHERE p.organization_id = ${id} AND p.consumer = asked.name) AS parked,
            (SELECT min(p.position) FROM parked_events AS p
              WHERE p.organization_id = ${id} AND p.consumer = asked.name AND p.is_replayed) AS replay
          FROM jsonb_to_recordset(${PgTypes.jsonb(asked)}) AS asked (place integer, name text, types text[])
          LEFT JOIN event_heads AS h ON h.organization_id = ${id}
          LEFT JOIN event_cursors AS c ON c.organization_id = ${id} AND c.consumer = asked.name
          LEFT JOIN LATERAL (
            SELECT e.position, e.type, e.at FROM events AS e
            WHERE e.organization_id = ${id} AND e.position > c.position AND c.retry_at IS DISTINCT FROM ${never} AND (asked.types IS NULL OR e.type = ANY(asked.types))
            ORDER BY e.position LIMIT 1
          ) AS n ON true
          ORDER BY asked.place`
        return rows.map(subscriptionOf)
      }),
      begin: Effect.fnUntraced(function* ({ id }, name, since) {
        const position =
          since === null
            ? sql`0`
            : sql`(SELECT coalesce(max(position), 0) FROM events WHERE organization_id = ${id} AND at < ${stamp(since)})`
        yield* sql`
          INSERT INTO event_cursors (organization_id, consumer, position)
          VALUES (${id}, ${name}, ${position}) ON CONFLICT DO NOTHING`
      }),
      lock: Effect.fnUntraced(function* ({ id }, name) {
        const [row] = yield* sql<{ readonly position: bigint; readonly attempts: number }>`
          SELECT position, attempts FROM event_cursors
          WHERE organization_id = ${id} AND consumer = ${name} FOR UPDATE SKIP LOCKED`
        return row === undefined ? null : { position: Number(row.position), attempts: row.attempts }
      }),
      advance: Effect.fnUntraced(function* ({ id }, name, position) {
        yield* sql`
          UPDATE event_cursors SET position = ${position}, attempts = 0, reason = NULL, retry_at = NULL
          WHERE organization_id = ${id} AND consumer = ${name}`
      }),
      passBy: Effect.fnUntraced(function* ({ id }, idle) {
        if (idle.length === 0) return new Set<EventConsumerName>()
        const passed = yield* sql<{ readonly consumer: EventConsumerName }>`
          WITH passing AS MATERIALIZED (
            SELECT c.consumer, seen.head FROM unnest(${idle.map(({ consumer }) => consumer)}::text[],
              ${idle.map(({ position }) => position)}::bigint[], ${idle.map(({ head }) => head)}::bigint[]
            ) AS seen (consumer, position, head)
            JOIN event_cursors AS c ON c.organization_id = ${id} AND c.consumer = seen.consumer
              AND c.position = seen.position
            WHERE c.organization_id = ${id} AND c.attempts = 0 AND c.retry_at IS NULL
            ORDER BY c.consumer FOR UPDATE OF c SKIP LOCKED
          )
          UPDATE event_cursors AS c SET position = passing.head FROM passing
          WHERE c.organization_id = ${id} AND c.consumer = passing.consumer RETURNING c.consumer`
        return new Set(passed.map(({ consumer }) => consumer))
      }),
      rest: Effect.fnUntraced(function* ({ id }, name) {
        yield* sql`UPDATE event_cursors SET retry_at = ${never} WHERE organization_id = ${id} AND consumer = ${name}`
      }),
      wake: Effect.fnUntraced(function* ({ id }, name) {
        // A new event consumer can start concurrently. The second transaction waits for the row of the first.
        yield* sql`
          INSERT INTO event_cursors (organization_id, consumer, position)
          VALUES (${id}, ${name}, coalesce((SELECT head FROM event_heads WHERE organization_id = ${id}), 0))
          ON CONFLICT (organization_id, consumer) DO UPDATE SET retry_at = NULL
          WHERE event_cursors.retry_at = ${never}`
      }),
      retry: Effect.fnUntraced(function* ({ id }, name, { after, attempts, reason }, again) {
        yield* sql`
          UPDATE event_cursors SET attempts = ${attempts}, reason = ${reason}, retry_at = ${stamp(again)}
          WHERE organization_id = ${id} AND consumer = ${name} AND position = ${after} AND attempts = ${attempts - 1}`
      }),
      park: Effect.fnUntraced(function* ({ id }, name, { after, attempts, position, reason }, now) {
        yield* sql`
          WITH passed AS (
            UPDATE event_cursors SET position = ${position}, attempts = 0, reason = NULL, retry_at = NULL
            WHERE organization_id = ${id} AND consumer = ${name} AND position = ${after} RETURNING 1
          )
          INSERT INTO parked_events (organization_id, consumer, position, type, attempts, reason, parked_at)
          SELECT ${id}::uuid, ${name}, position, type, ${attempts}, ${reason}, ${stamp(now)} FROM events
          WHERE organization_id = ${id} AND position = ${position} AND EXISTS (SELECT FROM passed)
          ON CONFLICT (organization_id, consumer, position) DO UPDATE
          SET attempts = excluded.attempts, reason = excluded.reason, parked_at = excluded.parked_at, is_replayed = false`
      }),
      listParked: Effect.fnUntraced(function* ({ id }, name, { after, limit }) {
        const rows = yield* sql<ParkedRow>`
          SELECT consumer, position, type, attempts, reason, parked_at AS "parkedAt", is_replayed AS "isReplayed"
          FROM parked_events WHERE organization_id = ${id}
            ${name === null ? sql`` : sql`AND consumer = ${name}`}
            ${after === null ? sql`` : sql`AND (consumer, position) > (${after[0]}, ${after[1]}::bigint)`}
          ORDER BY consumer, position LIMIT ${limit}`
        return rows.map(parkedOf)
      }),
      replayParked: Effect.fnUntraced(function* ({ id }, name, position) {
        const marked = yield* sql`
          UPDATE parked_events SET is_replayed = true WHERE organization_id = ${id} AND consumer = ${name}
            ${position === null ? sql`` : sql`AND position = ${position}`} RETURNING 1`
        if (position !== null && marked.length === 0) return yield* new NotFound({ resource: "parked event" })
        yield* wake
        return marked.length
      }),
      lockReplay: Effect.fnUntraced(function* ({ id }, name, position) {
        const rows = yield* sql`
          SELECT 1 FROM parked_events
          WHERE organization_id = ${id} AND consumer = ${name} AND position = ${position} AND is_replayed
          FOR UPDATE SKIP LOCKED`
        return rows.length > 0
      }),
      replayFailed: Effect.fnUntraced(function* ({ id }, name, position, reason) {
        yield* sql`
          UPDATE parked_events SET attempts = attempts + 1, reason = ${reason}, is_replayed = false
          WHERE organization_id = ${id} AND consumer = ${name} AND position = ${position}`
      }),
      unpark: Effect.fnUntraced(function* ({ id }, name, position) {
        const gone = yield* sql`
          DELETE FROM parked_events
          WHERE organization_id = ${id} AND consumer = ${name} AND position = ${position} RETURNING 1`
        if (gone.length === 0) return yield* new NotFound({ resource: "parked event" })
      }),
      rewind: Effect.fnUntraced(function* ({ id }, name, position) {
        const moved = yield* sql`
          WITH forgotten AS (
            DELETE FROM parked_events
            WHERE organization_id = ${id} AND consumer = ${name} AND position > ${position}
          )
          UPDATE event_cursors SET attempts = 0, reason = NULL, retry_at = NULL,
            position = least(${position}, (SELECT head FROM event_heads WHERE organization_id = ${id}))
          WHERE organization_id = ${id} AND consumer = ${name} RETURNING 1`
        if (moved.length === 0) return yield* new NotFound({ resource: "event consumer" })
        yield* wake
      }),
      remove: Effect.fnUntraced(function* ({ id }, name) {
        yield* sql`
          WITH forgotten AS (DELETE FROM parked_events WHERE organization_id = ${id} AND consumer = ${name})
          DELETE FROM event_cursors WHERE organization_id = ${id} AND consumer = ${name}`
      })
    })
  })
)
