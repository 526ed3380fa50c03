import { NotFound } from "@parley/domain/kernel"
import { Jobs } from "@parley/domain/platform"
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { stamp } from "../../kernel/columns.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"
import { jobColumns, jobOf, type JobRow } from "./jobRow.ts"

export const layer = Layer.effect(
  Jobs,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(jobColumns)

    return tenantPort(Jobs, {
      get: Effect.fnUntraced(function* (organization, id) {
        const [row] = yield* sql<JobRow>`
          SELECT ${columns} FROM jobs WHERE organization_id = ${organization.id} AND id = ${id}`
        return row === undefined ? yield* new NotFound({ resource: "job" }) : jobOf(row)
      }),
      list: Effect.fnUntraced(function* (organization, filter, { after, limit }) {
        const conditions = [sql`organization_id = ${organization.id}`]
        if (filter.state !== null) conditions.push(sql`state = ${filter.state}`)
        if (filter.kind !== null) conditions.push(sql`kind = ${filter.kind}`)
        if (after !== null) conditions.push(sql`id < ${after[0]}`)
        const rows = yield* sql<JobRow>`
          SELECT ${columns} FROM jobs WHERE ${sql.and(conditions)} ORDER BY id DESC LIMIT ${limit}`
        return rows.map(jobOf)
      }),
      insert: Effect.fnUntraced(function* (organization, { input, job, permissions }) {
        const { createdAt, createdBy, progress } = job
        yield* sql`
          INSERT INTO jobs (organization_id, id, kind, state, progress_done, progress_total, counts, error, error_code, result_url,
            cancel_requested, creator_kind, creator_id, permissions, input, checkpoint, attempts,
            created_at, started_at, finished_at, updated_at)
          VALUES (${organization.id}, ${job.id}, ${job.kind}, ${job.state}, ${progress.done}, ${progress.total},
            ${PgTypes.jsonb(job.counts)}, ${job.error}, ${job.errorCode}, ${job.resultUrl}, ${job.cancelRequested}, ${createdBy.kind},
            ${createdBy.id}, ${Array.from(permissions)}, ${PgTypes.jsonb(input)}, NULL, 0,
            ${stamp(createdAt)}, ${stamp(job.startedAt)}, ${stamp(job.finishedAt)}, ${stamp(job.updatedAt)})`
      }),
      requestCancel: Effect.fnUntraced(function* (organization, id, now) {
        const [changed] = yield* sql<JobRow>`
          UPDATE jobs SET cancel_requested = true, updated_at = ${stamp(now)},
            finished_at = CASE state WHEN 'queued' THEN ${stamp(now)} END,
            state = CASE state WHEN 'queued' THEN 'cancelled' ELSE state END
          WHERE organization_id = ${organization.id} AND id = ${id}
            AND (state = 'queued' OR (state = 'running' AND NOT cancel_requested))
          RETURNING ${columns}`
        if (changed !== undefined) return { job: jobOf(changed), changed: true }
        const [row] = yield* sql<JobRow>`
          SELECT ${columns} FROM jobs WHERE organization_id = ${organization.id} AND id = ${id}`
        return row === undefined ? yield* new NotFound({ resource: "job" }) : { job: jobOf(row), changed: false }
      })
    })
  })
)
