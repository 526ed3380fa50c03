import { PgTypes } from "@effect/sql-pg"
import { NotFound } from "@parley/domain/kernel"
import type { ContactId } from "@parley/domain/crm"
import { type NodeId, type WorkflowId, WorkflowRuns, type WorkflowRunSelection } from "@parley/domain/automation"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, stamp, utcOrNull } from "../../kernel/columns.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"
import { takeLive } from "./takeLive.ts"
import {
  keptWorkflowRunOf,
  rowOfWorkflowRun,
  rowOfWorkflowStep,
  workflowRunColumns,
  workflowRunOf,
  type WorkflowRunRow,
  workflowStepOf,
  type WorkflowStepRow
} from "./workflowRunRow.ts"

const recordColumns = `id uuid, workflow_id uuid, workflow_version int, lane smallint, state text, reason text, contact_id uuid, key uuid,
  node text, wake_at timestamptz, due_at timestamptz, goals json, ended_by text, start_position bigint, start_type text,
  conditions json, input json, event_position bigint, event_type text, causation json, rerun_of uuid,
  progress jsonb, started_at timestamptz, ended_at timestamptz`

export const layer = Layer.effect(
  WorkflowRuns,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(workflowRunColumns)
    const record = sql.literal(recordColumns)
    /** Log position at which a run started. The expression matches the index. */
    const began = sql.literal("((t.progress ->> 'from')::bigint)")
    const over = sql.literal("wake_at = NULL, due_at = NULL, revision = t.revision + 1")

    /** The first runs of each active or archived workflow. Runs of paused workflows are not read, however many are due. */
    const dueOfEach = (
      organizationId: string,
      lane: number,
      limit: number,
      until: ReturnType<typeof stamp> | null
    ) => sql`
      SELECT r.* FROM workflows AS w
      CROSS JOIN LATERAL (
        SELECT * FROM workflow_runs AS o
        WHERE o.organization_id = ${organizationId}::uuid AND o.workflow_id = w.id AND o.lane = ${lane}
          AND o.due_at IS NOT NULL ${until === null ? sql`` : sql`AND o.due_at <= ${until}`}
        ORDER BY o.due_at LIMIT ${limit}) AS r
      WHERE w.organization_id = ${organizationId}::uuid AND w.status IN ('active', 'archived')`

    /** Runs of a contact or an event, selected before the sort: in the order of a workflow all its runs would be read. */
    const selected = (organizationId: string, contactId: ContactId | null, position: number | null) => sql`(
      SELECT * FROM workflow_runs AS o
      WHERE o.organization_id = ${organizationId}::uuid
        ${contactId === null ? sql`` : sql`AND o.contact_id = ${contactId}`}
        ${position === null ? sql`` : sql`AND o.start_position = ${position}`}
      OFFSET 0)`

    const selectedRuns = (organizationId: string, workflowId: WorkflowId, selection: WorkflowRunSelection) => sql`
      workflow_runs AS t
      WHERE t.organization_id = ${organizationId}::uuid AND t.workflow_id = ${workflowId}
        AND t.state = ANY(${Array.from(selection.states)}::text[]) AND t.started_at < ${stamp(selection.createdBefore)}
        ${selection.contactId === null ? sql`` : sql`AND t.contact_id = ${selection.contactId}`}
        ${selection.position === null ? sql`` : sql`AND t.start_position = ${selection.position}`}
        ${selection.createdFrom === null ? sql`` : sql`AND t.started_at >= ${stamp(selection.createdFrom)}`}
        ${
          selection.rerun === "included"
            ? sql``
            : sql`AND NOT EXISTS (
          SELECT FROM workflow_runs AS n WHERE n.organization_id = ${organizationId}::uuid AND n.rerun_of = t.id)`
        }`

    return tenantPort(WorkflowRuns, {
      get: Effect.fnUntraced(function* (organization, workflowId, id) {
        const [row] = yield* sql<WorkflowRunRow>`
          SELECT ${columns} FROM workflow_runs AS t
          WHERE t.organization_id = ${organization.id} AND t.workflow_id = ${workflowId} AND t.id = ${id}`
        return row === undefined ? yield* new NotFound({ resource: "workflow run" }) : workflowRunOf(row)
      }),
      find: Effect.fnUntraced(function* (organization, id) {
        const [row] = yield* sql<WorkflowRunRow>`
          SELECT ${columns} FROM workflow_runs AS t WHERE t.organization_id = ${organization.id} AND t.id = ${id}`
        return row === undefined ? null : keptWorkflowRunOf(row)
      }),
      list: Effect.fnUntraced(function* (organization, workflowId, { contactId, position, states }, { after, limit }) {
        const beyond =
          after === null
            ? sql``
            : sql`AND (t.started_at, ${began}, t.id) < (${after[0]}::timestamptz, ${after[1]}::bigint, ${after[2]}::uuid)`
        const latest = sql`ORDER BY t.started_at DESC, ${began} DESC, t.id DESC LIMIT ${limit}`
        // The index of a state has the order of the list. Rare states are found without reading the others.
        if (states !== null && contactId === null && position === null) {
          const rows = yield* sql<WorkflowRunRow>`
            SELECT ${columns} FROM unnest(${Array.from(states)}::text[]) AS s (state)
            CROSS JOIN LATERAL (
              SELECT t.* FROM workflow_runs AS t
              WHERE t.organization_id = ${organization.id} AND t.workflow_id = ${workflowId} AND t.state = s.state
                ${beyond} ${latest}) AS t
            ${latest}`
          return rows.map(keptWorkflowRunOf)
        }
        const rows = yield* sql<WorkflowRunRow>`
          SELECT ${columns} FROM ${contactId === null && position === null ? sql`workflow_runs` : selected(organization.id, contactId, position)} AS t
          WHERE t.organization_id = ${organization.id} AND t.workflow_id = ${workflowId}
            ${states === null ? sql`` : sql`AND t.state = ANY(${Array.from(states)}::text[])`}
            ${beyond} ${latest}`
        return rows.map(keptWorkflowRunOf)
      }),
      steps: Effect.fnUntraced(function* (organization, id) {
        const rows = yield* sql<WorkflowStepRow>`
          SELECT node, visit, state, effect, output, error, conditions, at FROM workflow_run_steps
          WHERE organization_id = ${organization.id} AND run_id = ${id} ORDER BY position`
        return rows.map(workflowStepOf)
      }),
      start: Effect.fnUntraced(function* (organization, started) {
        const rows = yield* sql`
          INSERT INTO workflow_runs (organization_id, id, workflow_id, workflow_version, lane, state, reason, contact_id, key, node,
            wake_at, due_at, goals, ended_by, start_position, start_type, conditions, input, event_position, event_type, causation, rerun_of, progress, started_at, ended_at, revision)
          SELECT ${organization.id}::uuid, r.id, r.workflow_id, r.workflow_version, r.lane, r.state, r.reason, r.contact_id, r.key,
            r.node, r.wake_at, r.due_at, r.goals, r.ended_by, r.start_position, r.start_type, r.conditions, r.input, r.event_position, r.event_type, r.causation, r.rerun_of, r.progress, r.started_at,
            r.ended_at, 1
          FROM json_to_record(${PgTypes.json(rowOfWorkflowRun(started))}) AS r (${record}), (
            SELECT FROM workflows AS w
            WHERE w.organization_id = ${organization.id} AND w.id = ${started.run.workflowId} AND w.status = 'active'
            FOR SHARE) AS held
          ON CONFLICT DO NOTHING
          RETURNING 1`
        return rows.length > 0
      }),
      lastEnd: Effect.fnUntraced(function* (organization, workflowId, key) {
        const [row] = yield* sql<{ readonly at: Instant | null }>`
          SELECT max(e.at) AS at FROM (
            SELECT ended_at AS at FROM workflow_runs
            WHERE organization_id = ${organization.id} AND workflow_id = ${workflowId} AND key = ${key}
              AND ended_at IS NOT NULL AND node IS NOT NULL
            UNION ALL
            SELECT ended_at FROM workflow_run_ends
            WHERE organization_id = ${organization.id} AND workflow_id = ${workflowId} AND key = ${key}
          ) AS e`
        return utcOrNull(row?.at ?? null)
      }),
      next: Effect.fnUntraced(function* (organization, lane, now, limit) {
        const rows = yield* sql<WorkflowRunRow>`
          SELECT ${columns} FROM (${dueOfEach(organization.id, lane, limit, stamp(now))}) AS t
          ORDER BY t.due_at, t.started_at, t.id LIMIT ${limit}`
        return rows.map(keptWorkflowRunOf)
      }),
      nextDue: Effect.fnUntraced(function* (organization, lane) {
        const [row] = yield* sql<{ readonly at: Instant | null }>`
          SELECT min(t.due_at) AS at FROM (${dueOfEach(organization.id, lane, 1, null)}) AS t`
        return utcOrNull(row?.at ?? null)
      }),
      save: Effect.fnUntraced(function* (organization, kept, steps) {
        const save = sql`
          UPDATE workflow_runs AS t SET workflow_version = r.workflow_version, lane = r.lane, state = r.state, reason = r.reason,
            contact_id = r.contact_id, key = r.key, node = r.node, wake_at = r.wake_at, due_at = r.due_at, goals = r.goals,
            ended_by = r.ended_by,
            event_position = r.event_position, event_type = r.event_type, progress = r.progress, ended_at = r.ended_at,
            revision = t.revision + 1
          FROM json_to_record(${PgTypes.json(rowOfWorkflowRun(kept))}) AS r (${record})
          WHERE t.organization_id = ${organization.id} AND t.id = ${kept.run.id} AND t.revision = ${kept.revision}
          RETURNING 1`
        const saved = yield* steps.length === 0
          ? save
          : sql`
          WITH saved AS (${save}), reported AS (
            INSERT INTO workflow_run_steps (organization_id, run_id, position, node, visit, state, effect, output, error, conditions, at)
            SELECT ${organization.id}::uuid, ${kept.run.id}::uuid, r.position, r.node, r.visit, r.state, r.effect, r.output, r.error,
              r.conditions, r.at
            FROM json_to_recordset(${PgTypes.json(steps.map(rowOfWorkflowStep))}) AS r (position int, node text, visit int, state text,
              effect json, output json, error jsonb, conditions json, at timestamptz)
            WHERE EXISTS (SELECT FROM saved)
            ON CONFLICT (organization_id, run_id, position) DO UPDATE SET state = excluded.state, effect = excluded.effect,
              output = excluded.output, error = excluded.error, conditions = excluded.conditions, at = excluded.at
          )
          SELECT 1 FROM saved`
        return saved.length > 0
      }),
      lockLive: Effect.fnUntraced(function* (organization, contactIds) {
        if (contactIds.length === 0) return []
        const rows = yield* takeLive(sql, organization.id, contactIds)
        return rows.map(keptWorkflowRunOf)
      }),
      lockOfVersion: Effect.fnUntraced(function* (organization, workflowId, version, { after, limit }) {
        const rows = yield* sql<WorkflowRunRow>`
          SELECT ${columns} FROM workflow_runs AS t
          WHERE t.organization_id = ${organization.id} AND t.workflow_id = ${workflowId} AND t.workflow_version = ${version}
            AND t.ended_at IS NULL
            ${after === null ? sql`` : sql`AND (t.started_at, t.id) > (${after[0]}::timestamptz, ${after[1]}::uuid)`}
          ORDER BY t.started_at, t.id LIMIT ${limit} FOR UPDATE`
        return rows.map(keptWorkflowRunOf)
      }),
      countSelected: Effect.fnUntraced(function* (organization, workflowId, selection) {
        const [row] = yield* sql<{ readonly count: number }>`
          SELECT count(*)::integer AS count FROM ${selectedRuns(organization.id, workflowId, selection)}`
        return row?.count ?? 0
      }),
      lockSelected: Effect.fnUntraced(function* (organization, workflowId, selection, { after, limit }) {
        const rows = yield* sql<WorkflowRunRow>`
          SELECT ${columns} FROM ${selectedRuns(organization.id, workflowId, selection)}
            ${after === null ? sql`` : sql`AND (t.started_at, t.id) > (${after[0]}::timestamptz, ${after[1]}::uuid)`}
          ORDER BY t.started_at, t.id LIMIT ${limit} FOR UPDATE`
        return rows.map(keptWorkflowRunOf)
      }),
      underWay: Effect.fnUntraced(function* (organization, contactIds) {
        if (contactIds.length === 0) return new Set<ContactId>()
        const rows = yield* sql<{ readonly contactId: ContactId }>`
          SELECT DISTINCT contact_id AS "contactId" FROM workflow_runs
          WHERE organization_id = ${organization.id} AND contact_id = ANY(${Array.from(contactIds)}::uuid[])
            AND ended_at IS NULL`
        return new Set(rows.map(({ contactId }) => contactId))
      }),
      versionsUnderWay: Effect.fnUntraced(function* (organization, workflowId) {
        return yield* sql<{ readonly workflowId: WorkflowId; readonly version: number }>`
          SELECT DISTINCT workflow_id AS "workflowId", workflow_version AS version FROM workflow_runs
          WHERE organization_id = ${organization.id} AND ended_at IS NULL
            ${workflowId === null ? sql`` : sql`AND workflow_id = ${workflowId}`}`
      }),
      countLive: Effect.fnUntraced(function* (organization, workflowId) {
        const [row] = yield* sql<{ readonly count: number }>`
          SELECT count(*)::integer AS count FROM workflow_runs
          WHERE organization_id = ${organization.id} AND workflow_id = ${workflowId} AND ended_at IS NULL`
        return row?.count ?? 0
      }),
      countInNodes: Effect.fnUntraced(function* (organization, workflowId, version) {
        const rows = yield* sql<{ readonly node: NodeId; readonly count: number }>`
          SELECT node, count(*)::integer AS count FROM workflow_runs
          WHERE organization_id = ${organization.id} AND workflow_id = ${workflowId} AND ended_at IS NULL AND node IS NOT NULL
            ${version === null ? sql`` : sql`AND workflow_version = ${version}`}
          GROUP BY node`
        return new Map(rows.map(({ count, node }) => [node, count]))
      }),
      exit: Effect.fnUntraced(function* (organization, workflowId, reason, now, limit) {
        const left = yield* sql<WorkflowRunRow>`
          WITH chosen AS MATERIALIZED (
            SELECT o.id FROM workflow_runs AS o
            WHERE o.organization_id = ${organization.id} AND o.ended_at IS NULL
              ${workflowId === null ? sql`` : sql`AND o.workflow_id = ${workflowId}`}
            ORDER BY o.workflow_id, o.key LIMIT ${limit}
          ), taken AS MATERIALIZED (
            SELECT o.id FROM workflow_runs AS o
            WHERE o.organization_id = ${organization.id} AND o.ended_at IS NULL AND o.id IN (SELECT id FROM chosen)
            ORDER BY o.started_at, o.id FOR UPDATE
          )
          UPDATE workflow_runs AS t SET state = 'exited', reason = ${reason}, ended_at = ${stamp(now)}, ${over}
          FROM taken WHERE t.organization_id = ${organization.id} AND t.id = taken.id
          RETURNING ${columns}`
        return left.map(workflowRunOf)
      }),
      letGoOn: Effect.fnUntraced(function* (organization, reason, now, limit) {
        const rows = yield* sql`
          WITH held AS MATERIALIZED (
            SELECT o.id FROM workflow_runs AS o
            WHERE o.organization_id = ${organization.id} AND o.state = 'held' AND o.reason = ${reason}
              AND o.due_at > ${stamp(now)}
            ORDER BY o.due_at LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED
          )
          UPDATE workflow_runs AS t SET due_at = ${stamp(now)}, revision = t.revision + 1 FROM held
          WHERE t.organization_id = ${organization.id} AND t.id = held.id
          RETURNING 1`
        return rows.length
      }),
      recall: Effect.fnUntraced(function* (organization, contactIds, now, limit) {
        const rows = yield* sql<{ readonly lane: number }>`
          WITH quiet AS MATERIALIZED (
            SELECT o.id FROM workflow_runs AS o
            WHERE o.organization_id = ${organization.id} AND o.state = 'waiting' AND o.reason = 'quiet_hours'
              AND o.due_at > ${stamp(now)}
              ${contactIds === null ? sql`` : sql`AND o.contact_id = ANY(${Array.from(contactIds)}::uuid[])`}
            LIMIT ${limit} FOR NO KEY UPDATE SKIP LOCKED
          )
          UPDATE workflow_runs AS t SET wake_at = ${stamp(now)}, due_at = ${stamp(now)}, revision = t.revision + 1 FROM quiet
          WHERE t.organization_id = ${organization.id} AND t.id = quiet.id
          RETURNING t.lane`
        return rows.map(({ lane }) => lane)
      }),
      recallFrom: Effect.fnUntraced(function* (organization, nodes, now, limit) {
        const rows = yield* sql<{ readonly lane: number }>`
          WITH waiting AS MATERIALIZED (
            SELECT o.id FROM workflow_runs AS o
            JOIN unnest(${nodes.map(({ workflowId }) => workflowId)}::uuid[],
              ${nodes.map(({ version }) => version)}::integer[], ${nodes.map(({ node }) => node)}::text[])
              AS n (workflow_id, version, node)
              ON n.workflow_id = o.workflow_id AND n.version = o.workflow_version AND n.node = o.node
            WHERE o.organization_id = ${organization.id} AND o.state = 'waiting' AND o.due_at > ${stamp(now)}
            ORDER BY o.started_at, o.id LIMIT ${limit} FOR NO KEY UPDATE OF o
          )
          UPDATE workflow_runs AS t SET due_at = ${stamp(now)}, revision = t.revision + 1 FROM waiting
          WHERE t.organization_id = ${organization.id} AND t.id = waiting.id
          RETURNING t.lane`
        return rows.map(({ lane }) => lane)
      }),
      sweep: Effect.fnUntraced(function* (organization, before, limit) {
        const [row] = yield* sql<{ readonly count: number }>`
          WITH gone AS (
            DELETE FROM workflow_runs AS t WHERE t.organization_id = ${organization.id} AND t.id IN (
              SELECT o.id FROM workflow_runs AS o
              WHERE o.organization_id = ${organization.id} AND o.ended_at < ${stamp(before)}
              ORDER BY o.ended_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
            RETURNING t.workflow_id, t.key, t.node, t.ended_at
          ), remembered AS (
            INSERT INTO workflow_run_ends AS e (organization_id, workflow_id, key, ended_at)
            SELECT ${organization.id}::uuid, g.workflow_id, g.key, max(g.ended_at) FROM gone AS g
            JOIN workflows AS w ON w.organization_id = ${organization.id} AND w.id = g.workflow_id
            JOIN workflow_versions AS v
              ON v.organization_id = ${organization.id} AND v.workflow_id = w.id AND v.number = w.published_version
            WHERE g.key IS NOT NULL AND g.node IS NOT NULL AND v.keeps_run_keys
            GROUP BY g.workflow_id, g.key ORDER BY g.workflow_id, g.key
            ON CONFLICT (organization_id, workflow_id, key)
              DO UPDATE SET ended_at = greatest(e.ended_at, excluded.ended_at) WHERE e.organization_id = ${organization.id}
          )
          SELECT count(*)::integer AS count FROM gone`
        return row?.count ?? 0
      })
    })
  })
)
