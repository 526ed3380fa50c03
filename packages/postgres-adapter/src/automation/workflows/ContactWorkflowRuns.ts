import { type ContactWorkflowRun, ContactWorkflowRuns, type WorkflowRunId } from "@parley/domain/automation"
import { Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { mergesBefore } from "../../crm/mergesBefore.ts"
import { stamp } from "../../kernel/columns.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"
import { takeLive } from "./takeLive.ts"
import {
  workflowRunColumns,
  workflowRunOf,
  type WorkflowRunRow,
  workflowStepOf,
  type WorkflowStepRow
} from "./workflowRunRow.ts"

/** Number of times that a merge checks again for runs that started during it. */
const attempts = 5

const isTaken = ({ reason }: SqlError.SqlError) =>
  reason._tag === "UniqueViolation" && reason.constraint === "workflow_runs_live"

export const layer = Layer.effect(
  ContactWorkflowRuns,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(workflowRunColumns)
    const over = sql.literal("wake_at = NULL, due_at = NULL, revision = t.revision + 1")

    return tenantPort(ContactWorkflowRuns, {
      list: Effect.fnUntraced(function* (organization, contactId, { after, limit }) {
        const rows = yield* sql<WorkflowRunRow & Pick<ContactWorkflowRun, "name" | "status">>`
          SELECT ${columns}, w.name, w.status FROM (
            SELECT * FROM workflow_runs AS o
            WHERE o.organization_id = ${organization.id} AND o.contact_id = ${contactId}
              ${after === null ? sql`` : sql`AND (o.started_at, o.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)`}
            ORDER BY o.started_at DESC, o.id DESC LIMIT ${limit}) AS t
          LEFT JOIN workflows AS w ON w.organization_id = ${organization.id} AND w.id = t.workflow_id
          ORDER BY t.started_at DESC, t.id DESC`
        return rows.map((row) => ({ run: workflowRunOf(row), name: row.name, status: row.status }))
      }),
      latestSteps: Effect.fnUntraced(function* (organization, ids, limit) {
        const rows = yield* sql<WorkflowStepRow & { readonly runId: WorkflowRunId }>`
          SELECT s.run_id AS "runId", s.node, s.visit, s.state, s.effect, s.output, s.error, s.conditions, s.at
          FROM unnest(${Array.from(ids)}::uuid[]) AS r (id)
          CROSS JOIN LATERAL (
            SELECT * FROM workflow_run_steps AS o
            WHERE o.organization_id = ${organization.id} AND o.run_id = r.id
            ORDER BY o.position DESC LIMIT ${limit}) AS s
          ORDER BY s.run_id, s.position`
        const steps = Map.groupBy(rows, ({ runId }) => runId)
        return new Map(
          Array.from(steps, ([id, found]) => [id, found.map(({ runId: _runId, ...row }) => workflowStepOf(row))])
        )
      }),
      handOver: Effect.fnUntraced(function* (organization, { from, mergeId, to }, lane, now) {
        const both = [from, to]
        const join = Effect.gen(function* () {
          yield* takeLive(sql, organization.id, both)
          const left = yield* sql<WorkflowRunRow>`
            UPDATE workflow_runs AS t SET state = 'exited', reason = 'merged', ended_at = ${stamp(now)}, ${over}
            WHERE t.organization_id = ${organization.id} AND t.contact_id = ANY(${both}::uuid[]) AND t.ended_at IS NULL
              AND EXISTS (
                SELECT FROM workflow_runs AS o
                WHERE o.organization_id = ${organization.id} AND o.contact_id = ANY(${both}::uuid[]) AND o.ended_at IS NULL
                  AND o.workflow_id = t.workflow_id AND (o.started_at, o.id) < (t.started_at, t.id)
                  AND CASE WHEN o.key = ${from} THEN ${to}::uuid ELSE o.key END
                    = CASE WHEN t.key = ${from} THEN ${to}::uuid ELSE t.key END)
            RETURNING ${columns}`
          yield* sql`
            UPDATE workflow_runs AS t SET contact_id = ${to}, key = CASE WHEN key = ${from} THEN ${to}::uuid ELSE key END,
              lane = ${lane}, transferred_by = transferred_by || ${mergeId}::uuid, revision = revision + 1
            WHERE t.organization_id = ${organization.id} AND t.contact_id = ${from}`
          return left
        })
        // A concurrent transaction can have started an unseen run. The next attempt sees it.
        const left = yield* Effect.retry(sql.withTransaction(join), { while: isTaken, times: attempts })
        yield* sql`
          INSERT INTO workflow_run_ends AS e (organization_id, workflow_id, key, ended_at)
          SELECT ${organization.id}::uuid, o.workflow_id, ${to}::uuid, o.ended_at FROM workflow_run_ends AS o
          WHERE o.organization_id = ${organization.id} AND o.key = ${from}
          ON CONFLICT (organization_id, workflow_id, key)
            DO UPDATE SET ended_at = greatest(e.ended_at, excluded.ended_at) WHERE e.organization_id = ${organization.id}`
        return left.map((row) =>
          workflowRunOf({
            ...row,
            contactId: row.contactId === from ? to : row.contactId,
            key: row.key === from ? to : row.key
          })
        )
      }),
      handBack: Effect.fnUntraced(function* (organization, { from, mergeId, to }, lane) {
        yield* takeLive(sql, organization.id, [from])
        const rows = yield* sql`
          UPDATE workflow_runs AS t SET contact_id = ${to}, key = CASE WHEN key = ${from} THEN ${to}::uuid ELSE key END,
            lane = ${lane}, transferred_by = ${mergesBefore(sql, mergeId)}, revision = revision + 1
          WHERE t.organization_id = ${organization.id} AND t.contact_id = ${from} AND t.ended_at IS NULL
            AND t.transferred_by @> ARRAY[${mergeId}]::uuid[]
          RETURNING 1`
        return rows.length
      }),
      forget: Effect.fnUntraced(function* (organization, contactIds, now) {
        if (contactIds.length === 0) return []
        const ids = Array.from(contactIds)
        // Waits for a concurrent advance of one of the runs. Its writes are blanked, too.
        yield* takeLive(sql, organization.id, contactIds)
        const left = yield* sql<WorkflowRunRow>`
          UPDATE workflow_runs AS t SET state = 'exited', reason = 'contact_gone', ended_at = ${stamp(now)}, ${over}
          WHERE t.organization_id = ${organization.id} AND t.contact_id = ANY(${ids}::uuid[]) AND t.ended_at IS NULL
          RETURNING ${columns}`
        yield* sql`
          UPDATE workflow_run_steps AS s SET output = NULL, conditions = NULL,
            effect = CASE WHEN s.effect ->> 'kind' = 'contact' THEN NULL ELSE s.effect END,
            error = CASE WHEN s.error IS NULL THEN NULL ELSE s.error || '{"detail": null}' END
          WHERE s.organization_id = ${organization.id} AND s.run_id IN (
            SELECT t.id FROM workflow_runs AS t
            WHERE t.organization_id = ${organization.id} AND t.contact_id = ANY(${ids}::uuid[]))`
        yield* sql`
          UPDATE workflow_runs AS t SET contact_id = NULL, key = NULL, conditions = NULL, input = '{}', progress = progress || '{"subject": null}',
            revision = revision + 1
          WHERE t.organization_id = ${organization.id} AND t.contact_id = ANY(${ids}::uuid[])`
        yield* sql`
          DELETE FROM workflow_run_ends WHERE organization_id = ${organization.id} AND key = ANY(${ids}::uuid[])`
        return left.map((row) => workflowRunOf({ ...row, contactId: null, key: null }))
      })
    })
  })
)
