import type { Permission } from "@parley/domain/kernel"
import { jobIdOfLane, JobQueue, type LaneLease, LeaseLost } from "@parley/domain/platform"
import { PgTypes } from "@effect/sql-pg"
import { type DateTime, Effect, Layer, type Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { stamp } from "../../kernel/columns.ts"
import { type Organization, tenantPort } from "../../kernel/tenantPort.ts"
import { closeLane, holdLane, postponeLane } from "../background/holdLane.ts"
import { jobColumns, jobOf, type JobRow } from "./jobRow.ts"

interface BegunRow extends JobRow {
  readonly input: Schema.Json
  readonly checkpoint: Schema.Json | null
  readonly permissions: ReadonlyArray<Permission>
  readonly attempts: number
}

export const layer = Layer.effect(
  JobQueue,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(jobColumns)

    const ofLane = ({ id }: Organization, lease: LaneLease) =>
      sql`organization_id = ${id} AND id = ${jobIdOfLane(lease)}`

    /** Requires a running job. Any other state means that another worker took it over and finished it. */
    const running = Effect.fnUntraced(function* <Row extends object>(
      organization: Organization,
      lease: LaneLease,
      write: (isRunning: Statement.Fragment) => Statement.Statement<Row>
    ) {
      const [row] = yield* write(sql`${ofLane(organization, lease)} AND state = 'running'`)
      return row === undefined ? yield* new LeaseLost() : row
    })

    const wait = (
      organization: Organization,
      lease: LaneLease,
      attempts: "attempts" | "greatest(attempts - 1, 0)",
      now: DateTime.Utc
    ) =>
      running(
        organization,
        lease,
        (isRunning) => sql`
          UPDATE jobs SET state = 'queued', attempts = ${sql.literal(attempts)}, started_under = NULL,
            updated_at = ${stamp(now)} WHERE ${isRunning} RETURNING 1`
      )

    return tenantPort(JobQueue, {
      begin: Effect.fnUntraced(function* (organization, lease, kinds, now) {
        const [row] = yield* sql<BegunRow>`
          UPDATE jobs SET state = 'running', started_at = coalesce(started_at, ${stamp(now)}), updated_at = ${stamp(now)},
            attempts = attempts + (started_under IS DISTINCT FROM ${lease.fence}::bigint)::integer,
            started_under = ${lease.fence}::bigint
          WHERE ${ofLane(organization, lease)} AND state IN ('queued', 'running') AND kind = ANY (${Array.from(kinds)}::text[])
          RETURNING ${columns}, input, checkpoint, permissions, attempts`
        yield* holdLane(sql, lease)
        if (row === undefined) return null
        const { attempts, checkpoint, input, permissions } = row
        return { job: jobOf(row), input, checkpoint, permissions: new Set(permissions), attempts }
      }),
      advance: Effect.fnUntraced(function* (organization, lease, { checkpoint, counts, now, progress }) {
        const { stopping } = yield* running(
          organization,
          lease,
          (isRunning) => sql<{ readonly stopping: boolean }>`
            UPDATE jobs SET checkpoint = ${PgTypes.jsonb(checkpoint)}, counts = ${PgTypes.jsonb(counts)},
              progress_done = ${progress.done}, progress_total = ${progress.total}, attempts = 1,
              updated_at = ${stamp(now)}
            WHERE ${isRunning} RETURNING cancel_requested AS stopping`
        )
        yield* holdLane(sql, lease)
        return stopping
      }),
      finish: Effect.fnUntraced(function* (organization, lease, { error, errorCode, now, resultUrl, state }) {
        const row = yield* running(
          organization,
          lease,
          (isRunning) => sql<JobRow>`
            UPDATE jobs SET state = ${state}, error = ${error}, error_code = ${errorCode}, result_url = ${resultUrl}, started_under = NULL,
              finished_at = ${stamp(now)}, updated_at = ${stamp(now)}
            WHERE ${isRunning} RETURNING ${columns}`
        )
        yield* closeLane(sql, lease)
        return jobOf(row)
      }),
      giveBack: Effect.fnUntraced(function* (organization, lease, now) {
        yield* wait(organization, lease, "greatest(attempts - 1, 0)", now)
        yield* holdLane(sql, lease)
      }),
      postpone: Effect.fnUntraced(function* (organization, lease, until, now) {
        yield* wait(organization, lease, "attempts", now)
        yield* postponeLane(sql, lease, until)
      }),
      isUnfinished: Effect.fnUntraced(function* (organization, id) {
        const found = yield* sql`
          SELECT 1 FROM jobs
          WHERE organization_id = ${organization.id} AND id = ${id} AND state IN ('queued', 'running')`
        return found.length > 0
      })
    })
  })
)
