import { NotFound } from "@parley/domain/kernel"
import { type NewDelivery, WebhookDeliveries, type WebhookDeliveryState } from "@parley/domain/integrations"
import { PgTypes } from "@effect/sql-pg"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, stamp, utcOrNull } from "../../kernel/columns.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"
import {
  type AttemptRow,
  attemptOf,
  deliveryColumns,
  deliveryOf,
  type DeliveryRow,
  isoOrNull,
  keptDeliveryOf
} from "./deliveryRow.ts"

const notFound = () => new NotFound({ resource: "webhook delivery" })

const rowsOf = (deliveries: ReadonlyArray<NewDelivery>) =>
  PgTypes.json(
    deliveries.map(({ at, call = null, id, position, subject, subscriptionId, type }) => ({
      id,
      subscriptionId,
      type,
      eventPosition: position ?? 0,
      subject,
      at: DateTime.formatIso(at),
      call,
      contact: call?.contactId ?? null
    }))
  )

/** Number of longest-waiting deliveries that are read before each subject is queried. */
const lookedThrough = 1_000

export const layer = Layer.effect(
  WebhookDeliveries,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(deliveryColumns)

    /** Rows are inserted in one order to prevent deadlocks. */
    const added = (organizationId: string, deliveries: ReadonlyArray<NewDelivery>) => sql`
      INSERT INTO webhook_deliveries AS t (organization_id, id, subscription_id, type, event_position, subject, state, scheduled_attempts,
        attempts, at, next_attempt_at, requested, call, contact_id)
      SELECT ${organizationId}::uuid, r.id, r."subscriptionId", r.type, r."eventPosition", r.subject, 'pending', 0, 0, r.at, r.at,
        false, r.call, r.contact
      FROM json_to_recordset(${rowsOf(deliveries)}) AS r (id uuid, "subscriptionId" uuid, type text, "eventPosition" bigint,
        subject text, at timestamptz, call json, contact uuid)
      ORDER BY r.id`

    /**
     * First pending delivery of each subject. The query steps from subject to subject in the index, so later deliveries of a subject cost nothing.
     */
    const firstOfSubjects = (organizationId: string, subscriptionId: string) => sql`
      WITH RECURSIVE firsts AS (
        (SELECT subject, event_position, id FROM webhook_deliveries
         WHERE organization_id = ${organizationId}::uuid AND subscription_id = ${subscriptionId}::uuid AND state = 'pending'
         ORDER BY subject, event_position, id LIMIT 1)
        UNION ALL
        SELECT n.subject, n.event_position, n.id FROM firsts AS f CROSS JOIN LATERAL (
          SELECT subject, event_position, id FROM webhook_deliveries AS d
          WHERE d.organization_id = ${organizationId}::uuid AND d.subscription_id = ${subscriptionId}::uuid
            AND d.state = 'pending' AND d.subject > f.subject
          ORDER BY d.subject, d.event_position, d.id LIMIT 1) AS n
      )`

    /** Contact that an event is about. */
    const subjectContact = sql.literal(
      `CASE WHEN t.subject ~ '^contactId:[0-9a-f-]{36}$' THEN substr(t.subject, 11)::uuid END`
    )

    /** Literals select the partial index of a state. */
    const inState = (states: ReadonlyArray<WebhookDeliveryState>) =>
      sql.or(states.map((state) => sql`t.state = ${sql.literal(`'${state}'`)}`))

    return tenantPort(WebhookDeliveries, {
      get: Effect.fnUntraced(function* (organization, subscriptionId, id) {
        const [row] = yield* sql<DeliveryRow>`
          SELECT ${columns} FROM webhook_deliveries AS t
          WHERE t.organization_id = ${organization.id} AND t.subscription_id = ${subscriptionId} AND t.id = ${id}`
        return row === undefined ? yield* notFound() : deliveryOf(row)
      }),
      list: Effect.fnUntraced(function* (
        organization,
        subscriptionId,
        { from, id, state, to, type },
        { after, limit }
      ) {
        const rows = yield* sql<DeliveryRow>`
          SELECT ${columns} FROM webhook_deliveries AS t
          WHERE t.organization_id = ${organization.id} AND t.subscription_id = ${subscriptionId}
            ${state === null ? sql`` : sql`AND ${inState(state)}`} ${id === null ? sql`` : sql`AND t.id = ${id}`} ${type === null ? sql`` : sql`AND t.type = ${type}`}
            ${from === null ? sql`` : sql`AND t.at >= ${stamp(from)}`} ${to === null ? sql`` : sql`AND t.at < ${stamp(to)}`}
            ${after === null ? sql`` : sql`AND (t.at, t.event_position, t.id) < (${after[0]}::timestamptz, ${after[1]}::bigint, ${after[2]}::uuid)`}
          ORDER BY t.at DESC, t.event_position DESC, t.id DESC LIMIT ${limit}`
        return rows.map(keptDeliveryOf)
      }),
      attempts: Effect.fnUntraced(function* (organization, id, limit) {
        const rows = yield* sql<AttemptRow>`
          SELECT a.number, a.at, a.trigger, a.duration_ms AS "durationMs", a.status, a.error, d.request, d.response
          FROM webhook_attempts AS a
          LEFT JOIN webhook_attempt_details AS d
            ON d.organization_id = ${organization.id} AND d.delivery_id = a.delivery_id AND d.number = a.number
          WHERE a.organization_id = ${organization.id} AND a.delivery_id = ${id} ORDER BY a.number DESC LIMIT ${limit}`
        return rows.map(attemptOf)
      }),
      make: Effect.fnUntraced(function* (organization, deliveries) {
        if (deliveries.length === 0) return
        yield* sql`${added(organization.id, deliveries)} ON CONFLICT (organization_id, id) DO NOTHING`
      }),
      remake: Effect.fnUntraced(function* (organization, deliveries, only) {
        if (deliveries.length === 0) return 0
        const states = only === "all" ? ["failed", "discarded", "delivered"] : ["failed", "discarded"]
        const made = yield* sql`
          ${added(organization.id, deliveries)}
          ON CONFLICT (organization_id, id) DO UPDATE SET state = 'pending', scheduled_attempts = 0, at = excluded.at,
            next_attempt_at = excluded.at, delivered_at = NULL
          WHERE t.organization_id = ${organization.id} AND t.state = ANY(${states})
          RETURNING 1`
        return made.length
      }),
      due: Effect.fnUntraced(function* (organization, subscriptionId, { except, limit, now, ordering }) {
        const isDue = sql`t.next_attempt_at <= ${stamp(now)}
          ${except.length === 0 ? sql`` : sql`AND t.id <> ALL(${Array.from(except)}::uuid[])`}`
        if (ordering === "none") {
          const rows = yield* sql<DeliveryRow>`
            SELECT ${columns} FROM webhook_deliveries AS t
            WHERE t.organization_id = ${organization.id} AND t.subscription_id = ${subscriptionId} AND t.state = 'pending'
              AND ${isDue}
            ORDER BY t.event_position, t.id LIMIT ${limit}`
          return rows.map(keptDeliveryOf)
        }
        // The next deliveries are usually among the longest-waiting ones. If one subject fills those, each other subject is queried.
        const near = yield* sql<DeliveryRow>`
          SELECT ${columns} FROM (
            SELECT * FROM webhook_deliveries
            WHERE organization_id = ${organization.id} AND subscription_id = ${subscriptionId} AND state = 'pending'
            ORDER BY event_position, id LIMIT ${lookedThrough}
          ) AS t
          WHERE ${isDue} AND NOT EXISTS (
            SELECT FROM webhook_deliveries AS o
            WHERE o.organization_id = ${organization.id} AND o.subscription_id = ${subscriptionId}
              AND o.subject = t.subject AND o.state = 'pending' AND (o.event_position, o.id) < (t.event_position, t.id))
          ORDER BY t.event_position, t.id LIMIT ${limit}`
        if (near.length > 0) return near.map(keptDeliveryOf)
        const rows = yield* sql<DeliveryRow>`
          ${firstOfSubjects(organization.id, subscriptionId)}
          SELECT ${columns} FROM firsts AS f JOIN webhook_deliveries AS t
            ON t.organization_id = ${organization.id} AND t.id = f.id
          WHERE ${isDue} ORDER BY t.event_position, t.id LIMIT ${limit}`
        return rows.map(keptDeliveryOf)
      }),
      call: Effect.fnUntraced(function* (organization, id) {
        const [row] = yield* sql<Pick<DeliveryRow, "call">>`
          SELECT call FROM webhook_deliveries
          WHERE organization_id = ${organization.id} AND id = ${id} AND (state = 'pending' OR requested)`
        return row?.call ?? null
      }),
      nextDue: Effect.fnUntraced(function* (organization, subscriptionId, ordering) {
        const waiting =
          ordering === "none"
            ? sql`SELECT next_attempt_at FROM webhook_deliveries
                WHERE organization_id = ${organization.id} AND subscription_id = ${subscriptionId} AND state = 'pending'`
            : sql`${firstOfSubjects(organization.id, subscriptionId)}
                SELECT t.next_attempt_at FROM firsts AS f JOIN webhook_deliveries AS t
                  ON t.organization_id = ${organization.id} AND t.id = f.id`
        const [row] = yield* sql<{ readonly at: Instant | null }>`
          SELECT min(w.next_attempt_at) AS at FROM (${waiting}) AS w`
        return utcOrNull(row?.at ?? null)
      }),
      oldest: Effect.fnUntraced(function* (organization, subscriptionId) {
        const [row] = yield* sql<{ readonly at: Instant | null; readonly position: bigint | null }>`
          SELECT min(at) AS at, min(nullif(event_position, 0)) AS position FROM webhook_deliveries
          WHERE organization_id = ${organization.id} AND subscription_id = ${subscriptionId} AND state = 'pending'`
        const position = row?.position ?? null
        return { at: utcOrNull(row?.at ?? null), position: position === null ? null : Number(position) }
      }),
      want: Effect.fnUntraced(function* (organization, subscriptionId, id) {
        const [row] = yield* sql<DeliveryRow>`
          UPDATE webhook_deliveries AS t SET requested = true
          WHERE t.organization_id = ${organization.id} AND t.subscription_id = ${subscriptionId} AND t.id = ${id}
          RETURNING ${columns}`
        return row === undefined ? yield* notFound() : deliveryOf(row)
      }),
      wanted: Effect.fnUntraced(function* (organization, subscriptionId, limit) {
        const rows = yield* sql<DeliveryRow>`
          SELECT ${columns} FROM webhook_deliveries AS t
          WHERE t.organization_id = ${organization.id} AND t.subscription_id = ${subscriptionId} AND t.requested
          ORDER BY t.at, t.id LIMIT ${limit}`
        return rows.map(keptDeliveryOf)
      }),
      keep: Effect.fnUntraced(function* (organization, outcomes) {
        if (outcomes.length === 0) return
        const rows = outcomes.map(({ attempt, id, nextAttemptAt, spent, state }) => ({
          ...attempt,
          id,
          at: DateTime.formatIso(attempt.at),
          state,
          spent,
          nextAttemptAt: isoOrNull(nextAttemptAt)
        }))
        yield* sql`
          WITH r AS MATERIALIZED (
            SELECT * FROM json_to_recordset(${PgTypes.json(rows)}) AS r (id uuid, number int, at timestamptz, trigger text,
              "durationMs" int, status smallint, error text, request json, response json, state text, spent smallint,
              "nextAttemptAt" timestamptz)
          ), kept AS (
            UPDATE webhook_deliveries AS t SET
              state = CASE WHEN r.state = 'delivered' OR t.state = 'pending' THEN r.state ELSE t.state END,
              scheduled_attempts = CASE WHEN t.state = 'pending' THEN r.spent ELSE t.scheduled_attempts END,
              attempts = r.number,
              next_attempt_at = CASE WHEN r.state <> 'delivered' AND t.state = 'pending' THEN r."nextAttemptAt" END,
              delivered_at = CASE WHEN r.state = 'delivered' THEN r.at ELSE t.delivered_at END,
              requested = t.requested AND r.trigger <> 'redeliver'
            FROM r WHERE t.organization_id = ${organization.id} AND t.id = r.id
            RETURNING t.id, coalesce(t.contact_id, ${subjectContact}) AS contact_id
          ), details AS (
            INSERT INTO webhook_attempt_details (organization_id, delivery_id, number, contact_id, at, request, response)
            SELECT ${organization.id}::uuid, r.id, r.number, kept.contact_id, r.at, r.request, r.response
            FROM r JOIN kept ON kept.id = r.id WHERE r.request IS NOT NULL
            ON CONFLICT (organization_id, delivery_id, number) DO NOTHING
          )
          INSERT INTO webhook_attempts (organization_id, delivery_id, number, at, trigger, duration_ms, status, error)
          SELECT ${organization.id}::uuid, r.id, r.number, r.at, r.trigger, r."durationMs", r.status, r.error
          FROM r JOIN kept ON kept.id = r.id
          ON CONFLICT (organization_id, delivery_id, number) DO NOTHING`
      }),
      end: Effect.fnUntraced(function* (organization, subscriptionId, state, before, limit) {
        const ended = yield* sql`
          WITH old AS MATERIALIZED (
            SELECT id FROM webhook_deliveries
            WHERE organization_id = ${organization.id} AND subscription_id = ${subscriptionId} AND state = 'pending'
              ${before === null ? sql`` : sql`AND at < ${stamp(before)}`}
            ORDER BY event_position, id LIMIT ${limit} FOR NO KEY UPDATE
          )
          UPDATE webhook_deliveries AS t SET state = ${state}, next_attempt_at = NULL FROM old
          WHERE t.organization_id = ${organization.id} AND t.id = old.id RETURNING 1`
        return ended.length
      }),
      discard: Effect.fnUntraced(function* (organization, ids) {
        yield* sql`
          WITH meant AS MATERIALIZED (
            SELECT id FROM webhook_deliveries
            WHERE organization_id = ${organization.id} AND id = ANY(${Array.from(ids)}::uuid[])
            ORDER BY id FOR NO KEY UPDATE
          )
          UPDATE webhook_deliveries AS t SET
            state = CASE WHEN t.state = 'pending' THEN 'discarded' ELSE t.state END, next_attempt_at = NULL, requested = false
          FROM meant WHERE t.organization_id = ${organization.id} AND t.id = meant.id`
      }),
      blank: Effect.fnUntraced(function* (organization, contactIds) {
        yield* sql`
          WITH about AS MATERIALIZED (
            SELECT delivery_id, number FROM webhook_attempt_details
            WHERE organization_id = ${organization.id}
              AND (contact_id = ANY(${Array.from(contactIds)}::uuid[]) OR contact_id IS NULL)
            ORDER BY delivery_id, number FOR UPDATE
          )
          DELETE FROM webhook_attempt_details AS t USING about
          WHERE t.organization_id = ${organization.id} AND t.delivery_id = about.delivery_id AND t.number = about.number`
        yield* sql`
          WITH about AS (
            SELECT id FROM webhook_deliveries
            WHERE organization_id = ${organization.id} AND contact_id = ANY(${Array.from(contactIds)}::uuid[])
            ORDER BY id FOR UPDATE
          )
          UPDATE webhook_deliveries AS t SET contact_id = NULL, subject = 'erased',
            call = json_build_object('actor', t.call -> 'actor', 'causation', t.call -> 'causation',
              'runId', t.call -> 'runId', 'contactId', NULL, 'conversationId', NULL, 'body', NULL),
            state = CASE WHEN t.state = 'pending' THEN 'discarded' ELSE t.state END, requested = false,
            next_attempt_at = NULL
          FROM about WHERE t.organization_id = ${organization.id} AND t.id = about.id`
      }),
      sweep: Effect.fnUntraced(function* (organization, before, limit) {
        const swept = yield* sql`
          WITH old AS MATERIALIZED (
            SELECT id FROM webhook_deliveries WHERE organization_id = ${organization.id} AND at < ${stamp(before)}
            LIMIT ${limit} FOR UPDATE SKIP LOCKED
          )
          DELETE FROM webhook_deliveries AS t USING old
          WHERE t.organization_id = ${organization.id} AND t.id = old.id RETURNING 1`
        const attempts = yield* sql`
          WITH old AS MATERIALIZED (
            SELECT delivery_id, number FROM webhook_attempts
            WHERE organization_id = ${organization.id} AND at < ${stamp(before)}
            LIMIT ${limit} FOR UPDATE SKIP LOCKED
          )
          DELETE FROM webhook_attempts AS t USING old
          WHERE t.organization_id = ${organization.id} AND t.delivery_id = old.delivery_id AND t.number = old.number
          RETURNING 1`
        return Math.max(swept.length, attempts.length)
      }),
      sweepDetails: Effect.fnUntraced(function* (organization, before, limit) {
        const swept = yield* sql`
          WITH old AS MATERIALIZED (
            SELECT delivery_id, number FROM webhook_attempt_details
            WHERE organization_id = ${organization.id} AND at < ${stamp(before)}
            LIMIT ${limit} FOR UPDATE SKIP LOCKED
          )
          DELETE FROM webhook_attempt_details AS t USING old
          WHERE t.organization_id = ${organization.id} AND t.delivery_id = old.delivery_id AND t.number = old.number
          RETURNING 1`
        return swept.length
      })
    })
  })
)
