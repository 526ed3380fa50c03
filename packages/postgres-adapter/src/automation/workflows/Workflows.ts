import { normalizeForSearch, NotFound } from "@parley/domain/kernel"
import {
  type EventStartedWorkflow,
  type Graph,
  Workflow,
  type WorkflowId,
  type LiveWorkflow,
  Workflows,
  type WorkflowStatus,
  WorkflowVersion
} from "@parley/domain/automation"
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { containing } from "../../crm/searchSql.ts"
import { versions } from "../../crm/versions.ts"
import { asWritten, type Instant, stamp, utc } from "../../kernel/columns.ts"
import { keysetOrder } from "../../kernel/keysetOrder.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"

interface Row {
  readonly id: WorkflowId
  readonly name: string
  readonly status: WorkflowStatus
  readonly publishedVersion: number | null
  readonly graph: Graph
  readonly createdAt: Instant
  readonly updatedAt: Instant
  readonly version: number
}

interface VersionRow {
  readonly number: number
  readonly graph: Graph
  readonly publishedAt: Instant
}

const workflowOf = (row: Row) =>
  new Workflow({ ...row, createdAt: utc(row.createdAt), updatedAt: utc(row.updatedAt) }, asWritten)

const versionOf = (row: VersionRow) => new WorkflowVersion({ ...row, publishedAt: utc(row.publishedAt) }, asWritten)

const sortColumns = {
  createdAt: null,
  updatedAt: { name: "updated_at", type: "timestamptz" },
  name: { name: "name_key", type: "text" }
} as const

export const layer = Layer.effect(
  Workflows,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(
      `id, name, status, published_version AS "publishedVersion", graph, created_at AS "createdAt",
        updated_at AS "updatedAt", version`
    )
    const versionColumns = sql.literal(`number, graph, published_at AS "publishedAt"`)
    const { conflict, ifVersion, notFound } = versions(sql, "workflows", "workflow")

    return tenantPort(Workflows, {
      get: Effect.fnUntraced(function* (organization, id) {
        const [row] = yield* sql<Row>`
          SELECT ${columns} FROM workflows WHERE organization_id = ${organization.id} AND id = ${id}`
        return row === undefined ? yield* notFound() : workflowOf(row)
      }),
      list: Effect.fnUntraced(function* (organization, { event, q, sort, status }, { after, limit }) {
        const page = keysetOrder(sql, sortColumns, sort, after)
        const conditions = sql.and([
          sql`organization_id = ${organization.id}`,
          ...(q === null ? [] : [sql`name_key LIKE ${containing(normalizeForSearch(q))}`]),
          ...(status === null ? [] : [sql`status = ${status}`]),
          ...(event === null ? [] : [sql`entry_event = ${event}`]),
          ...page.after
        ])
        const rows = yield* sql<Row>`
          SELECT ${columns} FROM workflows WHERE ${conditions} ORDER BY ${page.order} LIMIT ${limit}`
        return rows.map(workflowOf)
      }),
      count: Effect.fnUntraced(function* (organization) {
        const [row] = yield* sql<{ readonly count: number }>`
          SELECT count(*)::integer AS count FROM workflows WHERE organization_id = ${organization.id}`
        return row?.count ?? 0
      }),
      inForce: Effect.fnUntraced(function* (organization) {
        return yield* sql<LiveWorkflow>`
          SELECT w.id, v.graph FROM workflows AS w
          JOIN workflow_versions AS v ON v.workflow_id = w.id AND v.number = w.published_version
          WHERE w.organization_id = ${organization.id} AND v.organization_id = ${organization.id}
            AND w.status IN ('active', 'paused')
          ORDER BY w.id`
      }),
      beginningOn: Effect.fnUntraced(function* (organization, event) {
        const rows = yield* sql<Omit<EventStartedWorkflow, "activeAfter"> & { readonly activeAfter: bigint }>`
          SELECT w.id, v.number, v.graph, w.active_after_position AS "activeAfter" FROM workflows AS w
          JOIN workflow_versions AS v
            ON v.organization_id = ${organization.id} AND v.workflow_id = w.id AND v.number = w.published_version
          WHERE w.organization_id = ${organization.id} AND w.status = 'active'
            AND v.entry_event = ${event}
          ORDER BY w.id`
        return rows.map((row) => ({ ...row, activeAfter: Number(row.activeAfter) }))
      }),
      beginAfter: Effect.fnUntraced(function* (organization, id, position) {
        yield* sql`
          UPDATE workflows SET active_after_position = ${position} WHERE organization_id = ${organization.id} AND id = ${id}`
      }),
      insert: Effect.fnUntraced(function* (organization, workflow) {
        const { createdAt, graph, id, name, publishedVersion, status, updatedAt, version } = workflow
        yield* sql`
          INSERT INTO workflows
            (organization_id, id, name, name_key, status, published_version, graph, created_at, updated_at, version)
          VALUES
            (${organization.id}, ${id}, ${name}, ${normalizeForSearch(name)}, ${status}, ${publishedVersion}, ${PgTypes.json(graph)},
              ${stamp(createdAt)}, ${stamp(updatedAt)}, ${version})`
      }),
      save: Effect.fnUntraced(function* (
        organization,
        { graph, id, name, publishedVersion, status, updatedAt },
        expected
      ) {
        const [row] = yield* sql<Row>`
          UPDATE workflows
          SET name = ${name}, name_key = ${normalizeForSearch(name)}, status = ${status}, published_version = ${publishedVersion},
            graph = ${PgTypes.json(graph)}, updated_at = ${stamp(updatedAt)}, version = version + 1
          WHERE organization_id = ${organization.id} AND id = ${id} ${ifVersion(expected)}
          RETURNING ${columns}`
        return row === undefined ? yield* conflict(organization.id, id) : workflowOf(row)
      }),
      remove: Effect.fnUntraced(function* (organization, id, expected) {
        const removed = yield* sql`
          DELETE FROM workflows WHERE organization_id = ${organization.id} AND id = ${id} ${ifVersion(expected)}
          RETURNING 1`
        if (removed.length === 0) return yield* conflict(organization.id, id)
      }),
      publish: Effect.fnUntraced(function* (organization, id, { graph, number, publishedAt }) {
        yield* sql`
          INSERT INTO workflow_versions (organization_id, workflow_id, number, graph, published_at)
          VALUES (${organization.id}, ${id}, ${number}, ${PgTypes.json(graph)}, ${stamp(publishedAt)})`
      }),
      version: Effect.fnUntraced(function* (organization, id, number) {
        const [row] = yield* sql<VersionRow>`
          SELECT ${versionColumns} FROM workflow_versions
          WHERE organization_id = ${organization.id} AND workflow_id = ${id} AND number = ${number}`
        return row === undefined ? yield* new NotFound({ resource: "workflow version" }) : versionOf(row)
      }),
      versions: Effect.fnUntraced(function* (organization, id, { after, limit }) {
        const rows = yield* sql<VersionRow>`
          SELECT ${versionColumns} FROM workflow_versions
          WHERE organization_id = ${organization.id} AND workflow_id = ${id}
            ${after === null ? sql`` : sql`AND number < ${Number(after[0])}`}
          ORDER BY number DESC LIMIT ${limit}`
        return rows.map(versionOf)
      })
    })
  })
)
