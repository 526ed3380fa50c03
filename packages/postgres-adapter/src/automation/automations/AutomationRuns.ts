import { PgTypes } from "@effect/sql-pg"
import { NotFound } from "@parley/domain/kernel"
import type { ContactId } from "@parley/domain/crm"
import {
  type AutomationId,
  type AutomationRunId,
  AutomationRuns,
  type AutomationRunSelection
} from "@parley/domain/automation"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { mergesBefore } from "../../crm/mergesBefore.ts"
import { type Instant, stamp, utcOrNull } from "../../kernel/columns.ts"
import { isOneOf } from "../../kernel/isOneOf.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"
import { changedRow, keptRunOf, newRow, runColumns, runOf, type RunRow } from "./runRow.ts"

const notFound = () => new NotFound({ resource: "automation run" })

export const layer = Layer.effect(
  AutomationRuns,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(runColumns)

    /** Actions of a run that ends early: unfinished actions become skipped. */
    const skippingRest = sql`(
      SELECT coalesce(jsonb_agg(CASE WHEN e.action ->> 'state' IN ('pending', 'waiting', 'calling')
        THEN e.action || '{"state": "skipped", "until": null}' ELSE e.action END ORDER BY e.place), '[]')
      FROM jsonb_array_elements(t.actions) WITH ORDINALITY AS e (action, place))`

    /** Condition that the contact has no run that waits for a plugin. */
    const isFree = (organizationId: string) => sql`NOT EXISTS (
      SELECT FROM automation_runs AS c
      WHERE c.organization_id = ${organizationId}::uuid AND c.contact_id = t.contact_id AND c.queue = 'calling')`

    /** Selected before the sort: in the order of an automation all its runs would be read. */
    const runsOfContact = (organizationId: string, contactId: ContactId) => sql`(
      SELECT * FROM automation_runs AS o
      WHERE o.organization_id = ${organizationId}::uuid AND o.contact_id = ${contactId} OFFSET 0)`

    const selectedRuns = (organizationId: string, automationId: AutomationId, selection: AutomationRunSelection) => sql`
      automation_runs AS t
      WHERE t.organization_id = ${organizationId}::uuid AND t.automation_id = ${automationId}
        AND t.state = ANY(${Array.from(selection.states)}::text[]) AND t.created_at < ${stamp(selection.createdBefore)}
        ${selection.contactId === null ? sql`` : sql`AND t.contact_id = ${selection.contactId}`}
        ${selection.position === null ? sql`` : sql`AND t.event_position = ${selection.position}`}
        ${selection.createdFrom === null ? sql`` : sql`AND t.created_at >= ${stamp(selection.createdFrom)}`}
        ${
          selection.rerun === "included"
            ? sql``
            : sql`AND NOT EXISTS (
          SELECT FROM automation_runs AS n WHERE n.organization_id = ${organizationId}::uuid AND n.rerun_of = t.id)`
        }`

    return tenantPort(AutomationRuns, {
      get: Effect.fnUntraced(function* (organization, automationId, id) {
        const [row] = yield* sql<RunRow>`
          SELECT ${columns} FROM automation_runs AS t
          WHERE t.organization_id = ${organization.id} AND t.automation_id = ${automationId} AND t.id = ${id}`
        return row === undefined ? yield* notFound() : runOf(row)
      }),
      find: Effect.fnUntraced(function* (organization, id) {
        const [row] = yield* sql<RunRow>`
          SELECT ${columns} FROM automation_runs AS t WHERE t.organization_id = ${organization.id} AND t.id = ${id}`
        return row === undefined ? null : keptRunOf(row)
      }),
      list: Effect.fnUntraced(function* (organization, automationId, { contactId, position, state }, { after, limit }) {
        const rows = yield* sql<RunRow>`
          SELECT ${columns} FROM ${contactId === null ? sql`automation_runs` : runsOfContact(organization.id, contactId)} AS t
          WHERE t.organization_id = ${organization.id} AND t.automation_id = ${automationId}
            ${position === null ? sql`` : sql`AND t.event_position = ${position}`}
            ${state === null ? sql`` : sql`AND t.state = ${sql.literal(`'${state}'`)}`}
            ${after === null ? sql`` : sql`AND (t.event_position, t.id) < (${after[0]}::bigint, ${after[1]}::uuid)`}
          ORDER BY t.event_position DESC, t.id DESC LIMIT ${limit}`
        return rows.map(runOf)
      }),
      countSelected: Effect.fnUntraced(function* (organization, automationId, selection) {
        const [row] = yield* sql<{ readonly count: number }>`
          SELECT count(*)::integer AS count FROM ${selectedRuns(organization.id, automationId, selection)}`
        return row?.count ?? 0
      }),
      lockSelected: Effect.fnUntraced(function* (organization, automationId, selection, { after, limit }) {
        const rows = yield* sql<RunRow>`
          SELECT ${columns} FROM ${selectedRuns(organization.id, automationId, selection)}
            ${after === null ? sql`` : sql`AND (t.event_position, t.id) > (${after[0]}::bigint, ${after[1]}::uuid)`}
          ORDER BY t.event_position, t.id LIMIT ${limit} FOR UPDATE`
        return rows.map(keptRunOf)
      }),
      start: Effect.fnUntraced(function* (organization, runs) {
        if (runs.length === 0) return new Set<AutomationRunId>()
        const started = yield* sql<{ readonly id: AutomationRunId }>`
          INSERT INTO automation_runs (organization_id, id, automation_id, automation_version, ordinal, lane, state, reason, queue,
            due_at, event_position, event_type, contact_id, causation, conditions, actions, rerun_of, rerun_actions, created_at,
            started_at, finished_at, revision)
          SELECT ${organization.id}::uuid, r.id, r.automation_id, r.automation_version, r.ordinal, r.lane, r.state, r.reason,
            r.queue, r.due_at, r.event_position, r.event_type, r.contact_id, r.causation, r.conditions, r.actions,
            r.rerun_of, r.rerun_actions, r.created_at, r.started_at, r.finished_at, 1
          FROM json_to_recordset(${PgTypes.json(runs.map(newRow))}) AS r (id uuid, automation_id uuid, automation_version int,
            ordinal int, lane smallint, state text, reason text, queue text, due_at timestamptz, event_position bigint,
            event_type text, contact_id uuid, causation json, conditions json, actions jsonb, rerun_of uuid, rerun_actions text,
            created_at timestamptz, started_at timestamptz, finished_at timestamptz)
          ORDER BY r.id
          ON CONFLICT (organization_id, id) DO NOTHING
          RETURNING id`
        return new Set(started.map(({ id }) => id))
      }),
      next: Effect.fnUntraced(function* (organization, lane, now, limit) {
        const rows = yield* sql<RunRow>`
          SELECT ${columns} FROM (
            (SELECT * FROM automation_runs AS t
             WHERE t.organization_id = ${organization.id} AND t.lane = ${lane} AND t.queue = 'ready' AND ${isFree(organization.id)}
             ORDER BY t.event_position, t.ordinal, t.id LIMIT ${limit})
            UNION ALL
            (SELECT * FROM automation_runs AS t
             WHERE t.organization_id = ${organization.id} AND t.lane = ${lane} AND t.queue = 'waiting'
               AND t.due_at <= ${stamp(now)} AND ${isFree(organization.id)}
             ORDER BY t.due_at LIMIT ${limit})
          ) AS t
          ORDER BY t.event_position, t.ordinal, t.id LIMIT ${limit}`
        return rows.map(keptRunOf)
      }),
      nextDue: Effect.fnUntraced(function* (organization, lane) {
        const [row] = yield* sql<{ readonly at: Instant | null }>`
          SELECT min(n.at) AS at FROM (
            (SELECT t.created_at AS at FROM automation_runs AS t
             WHERE t.organization_id = ${organization.id} AND t.lane = ${lane} AND t.queue = 'ready' AND ${isFree(organization.id)}
             ORDER BY t.event_position, t.ordinal, t.id LIMIT 1)
            UNION ALL
            (SELECT t.due_at FROM automation_runs AS t
             WHERE t.organization_id = ${organization.id} AND t.lane = ${lane} AND t.queue = 'waiting' AND ${isFree(organization.id)}
             ORDER BY t.due_at LIMIT 1)
          ) AS n`
        return utcOrNull(row?.at ?? null)
      }),
      // Ids are a separate condition: PostgreSQL would otherwise scan a table without statistics.
      save: Effect.fnUntraced(function* (organization, runs) {
        if (runs.length === 0) return true
        const saved = yield* sql`
          UPDATE automation_runs AS t SET state = r.state, reason = r.reason, queue = r.queue, due_at = r.due_at,
            conditions = r.conditions, actions = r.actions, started_at = r.started_at, finished_at = r.finished_at,
            revision = t.revision + 1
          FROM json_to_recordset(${PgTypes.json(runs.map(changedRow))}) AS r (id uuid, revision int, state text, reason text,
            queue text, due_at timestamptz, conditions json, actions jsonb, started_at timestamptz, finished_at timestamptz)
          WHERE t.organization_id = ${organization.id} AND t.id = r.id AND t.revision = r.revision
            AND ${isOneOf(
              sql,
              "t.id",
              runs.map(({ run }) => run.id)
            )}
          RETURNING 1`
        return saved.length === runs.length
      }),
      // Each queue has a partial index, so the query never reads finished runs.
      cancel: Effect.fnUntraced(function* (organization, automationId, now) {
        const cancelled = yield* sql`
          UPDATE automation_runs AS t SET state = 'aborted', reason = 'automation_disabled', finished_at = ${stamp(now)},
            actions = ${skippingRest}, queue = NULL, due_at = NULL, revision = t.revision + 1
          WHERE t.organization_id = ${organization.id} AND t.automation_id = ${automationId}
            AND (t.queue = 'ready' OR t.queue = 'waiting' OR t.queue = 'calling')
          RETURNING 1`
        return cancelled.length
      }),
      recall: Effect.fnUntraced(function* (organization, contactIds, now, limit) {
        const rows = yield* sql<{ readonly lane: number }>`
          WITH quiet AS MATERIALIZED (
            SELECT o.id FROM automation_runs AS o
            WHERE o.organization_id = ${organization.id} AND o.queue = 'waiting' AND o.reason = 'quiet_hours'
              AND o.due_at > ${stamp(now)}
              ${contactIds === null ? sql`` : sql`AND o.contact_id = ANY(${Array.from(contactIds)}::uuid[])`}
            LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED
          )
          UPDATE automation_runs AS t SET due_at = ${stamp(now)}, revision = t.revision + 1,
            actions = (
              SELECT jsonb_agg(CASE WHEN e.action ->> 'state' = 'waiting'
                THEN jsonb_set(e.action, '{until}', to_jsonb(${DateTime.formatIso(now)}::text)) ELSE e.action END ORDER BY e.place)
              FROM jsonb_array_elements(t.actions) WITH ORDINALITY AS e (action, place))
          FROM quiet WHERE t.organization_id = ${organization.id} AND t.id = quiet.id
          RETURNING t.lane`
        return rows.map(({ lane }) => lane)
      }),
      // Each part has a separate index of live runs.
      versionsUnderWay: Effect.fnUntraced(function* (organization) {
        const waiting = (queue: "ready" | "waiting" | "calling") => sql`
          SELECT automation_id AS "automationId", automation_version AS version FROM automation_runs
          WHERE organization_id = ${organization.id} AND queue = ${sql.literal(`'${queue}'`)}`
        return yield* sql<{ readonly automationId: AutomationId; readonly version: number }>`
          ${waiting("ready")} UNION ${waiting("waiting")} UNION ${waiting("calling")}`
      }),
      // Selected by contact before the count: in the order of automations all runs would be read.
      begunSince: Effect.fnUntraced(function* (organization, contactId, since) {
        const rows = yield* sql<{ readonly id: AutomationId; readonly count: bigint }>`
          SELECT automation_id AS id, count(*) AS count FROM (
            SELECT automation_id FROM automation_runs
            WHERE organization_id = ${organization.id} AND contact_id = ${contactId} AND started_at > ${stamp(since)}
              AND state <> 'skipped'
            OFFSET 0) AS begun
          GROUP BY automation_id`
        return new Map(rows.map(({ count, id }) => [id, Number(count)]))
      }),
      failedInARow: Effect.fnUntraced(function* (organization, automationId, version, limit) {
        const rows = yield* sql<{ readonly state: string }>`
          SELECT state FROM automation_runs
          WHERE organization_id = ${organization.id} AND automation_id = ${automationId}
            AND state IN ('failed', 'succeeded') AND automation_version = ${version}
          ORDER BY finished_at DESC, id DESC LIMIT ${limit}`
        const end = rows.findIndex(({ state }) => state !== "failed")
        return end === -1 ? rows.length : end
      }),
      ofContact: Effect.fnUntraced(function* (organization, contactId, limit) {
        const rows = yield* sql<RunRow>`
          SELECT ${columns} FROM automation_runs AS t
          WHERE t.organization_id = ${organization.id} AND t.contact_id = ${contactId}
          ORDER BY t.created_at DESC, t.id DESC LIMIT ${limit}`
        return rows.map(runOf)
      }),
      performedFor: Effect.fnUntraced(function* (organization, contactId, { after, limit }) {
        const rows = yield* sql<RunRow & { readonly name: string | null }>`
          SELECT ${columns}, a.name FROM (
            SELECT * FROM automation_runs AS o
            WHERE o.organization_id = ${organization.id} AND o.contact_id = ${contactId} AND o.state <> 'skipped'
              ${after === null ? sql`` : sql`AND (o.created_at, o.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`}
            ORDER BY o.created_at DESC, o.id DESC LIMIT ${limit}) AS t
          LEFT JOIN automations AS a ON a.organization_id = ${organization.id} AND a.id = t.automation_id
          ORDER BY t.created_at DESC, t.id DESC`
        return rows.map((row) => ({ run: runOf(row), name: row.name }))
      }),
      handOver: Effect.fnUntraced(function* (organization, { from, mergeId, to }, lane) {
        const rows = yield* sql<{ readonly isLive: boolean }>`
          UPDATE automation_runs SET contact_id = ${to}, lane = ${lane}, transferred_by = transferred_by || ${mergeId}::uuid,
            revision = revision + 1
          WHERE organization_id = ${organization.id} AND contact_id = ${from}
          RETURNING queue IS NOT NULL AS "isLive"`
        return rows.some(({ isLive }) => isLive)
      }),
      handBack: Effect.fnUntraced(function* (organization, { from, mergeId, to }, lane) {
        const rows = yield* sql<{ readonly isLive: boolean }>`
          UPDATE automation_runs SET contact_id = ${to}, lane = ${lane},
            transferred_by = ${mergesBefore(sql, mergeId)}, revision = revision + 1
          WHERE organization_id = ${organization.id} AND contact_id = ${from} AND transferred_by @> ARRAY[${mergeId}]::uuid[]
          RETURNING queue IS NOT NULL AS "isLive"`
        return rows.some(({ isLive }) => isLive)
      }),
      forget: Effect.fnUntraced(function* (organization, contactIds, now) {
        if (contactIds.length === 0) return
        yield* sql`
          UPDATE automation_runs AS t SET contact_id = NULL, conditions = NULL, revision = t.revision + 1,
            state = CASE WHEN t.queue IS NULL THEN t.state ELSE 'aborted' END,
            reason = CASE WHEN t.queue IS NULL THEN t.reason ELSE 'contact_gone' END,
            finished_at = CASE WHEN t.queue IS NULL THEN t.finished_at ELSE ${stamp(now)} END,
            actions = (
              SELECT coalesce(jsonb_agg(CASE WHEN e.action ->> 'state' IN ('pending', 'waiting', 'calling')
                  THEN e.action || '{"state": "skipped", "until": null}'
                WHEN jsonb_typeof(e.action -> 'error') = 'object' THEN jsonb_set(e.action, '{error,detail}', 'null')
                WHEN e.action #>> '{effect,kind}' = 'contact' THEN jsonb_set(e.action, '{effect}', 'null')
                ELSE e.action END ORDER BY e.place), '[]')
              FROM jsonb_array_elements(t.actions) WITH ORDINALITY AS e (action, place)),
            queue = NULL, due_at = NULL
          WHERE t.organization_id = ${organization.id} AND t.contact_id = ANY(${Array.from(contactIds)}::uuid[])`
      }),
      sweep: Effect.fnUntraced(function* (organization, before, limit) {
        const swept = yield* sql`
          DELETE FROM automation_runs AS t WHERE t.organization_id = ${organization.id} AND t.id IN (
            SELECT o.id FROM automation_runs AS o
            WHERE o.organization_id = ${organization.id} AND o.created_at < ${stamp(before)} AND o.queue IS NULL
            ORDER BY o.created_at LIMIT ${limit})
          RETURNING 1`
        return swept.length
      }),
      sweepSkipped: Effect.fnUntraced(function* (organization, kept, limit) {
        const swept = yield* sql`
          DELETE FROM automation_runs AS t WHERE t.organization_id = ${organization.id} AND t.id IN (
            SELECT o.id FROM automations AS a
            CROSS JOIN LATERAL (
              SELECT s.event_position, s.id FROM automation_runs AS s
              WHERE s.organization_id = ${organization.id} AND s.automation_id = a.id AND s.state = 'skipped'
              ORDER BY s.event_position DESC, s.id DESC OFFSET ${kept} LIMIT 1) AS k
            CROSS JOIN LATERAL (
              SELECT s.id FROM automation_runs AS s
              WHERE s.organization_id = ${organization.id} AND s.automation_id = a.id AND s.state = 'skipped'
                AND (s.event_position, s.id) <= (k.event_position, k.id)
              ORDER BY s.event_position, s.id LIMIT ${limit}) AS o
            WHERE a.organization_id = ${organization.id} LIMIT ${limit})
          RETURNING 1`
        return swept.length
      })
    })
  })
)
