import { JobQueue, type Lease, LeaseLost, type OrganizationId, type Permission } from "@parley/domain"
import { PgTypes } from "@effect/sql-pg"
import { type DateTime, Effect, Layer, type Schema } from "effect"
import { SqlClient } from "effect/sql"
import { stamp } from "../kernel/columns.ts"
import { driverFailuresDie } from "../kernel/defects.ts"
import { jobColumns, jobOf, type JobRow } from "./jobRow.ts"

interface ClaimedRow extends JobRow {
  readonly organizationId: OrganizationId
  readonly input: Schema.Json
  readonly checkpoint: Schema.Json | null
  readonly permissions: ReadonlyArray<Permission>
  readonly attempts: number
}

export const layer = Layer.effect(
  JobQueue,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(jobColumns)

    const leased = ({ jobId, organizationId, runner }: Lease) =>
      sql`organization_id = ${organizationId} AND id = ${jobId} AND runner = ${runner}`

    const orLost = <Row>(rows: ReadonlyArray<Row>) => {
      const [row] = rows
      return row === undefined ? Effect.fail(new LeaseLost()) : Effect.succeed(row)
    }

    const release = (
      lease: Lease,
      attempts: "attempts" | "greatest(attempts - 1, 0)",
      from: DateTime.Utc,
      now: DateTime.Utc
    ) =>
      sql`
        UPDATE jobs SET state = 'queued', runner = NULL, attempts = ${sql.literal(attempts)},
          runnable_at = ${stamp(from)}, updated_at = ${stamp(now)}
        WHERE ${leased(lease)} RETURNING 1`.pipe(Effect.flatMap(orLost), Effect.asVoid, driverFailuresDie)

    return JobQueue.of({
      // A row that another claim or a step's last statement holds at the moment is passed over; no claim waits for another.
      claim: Effect.fnUntraced(function* ({ kinds, now, runner, until }) {
        const [row] = yield* sql<ClaimedRow>`
          WITH next AS MATERIALIZED (
            SELECT organization_id AS organization, id AS job FROM jobs AS waiting
            WHERE state IN ('queued', 'running') AND kind = ANY (${kinds}) AND runnable_at <= ${stamp(now)}
            ORDER BY EXISTS (
              SELECT 1 FROM jobs AS busy
              WHERE busy.organization_id = waiting.organization_id AND busy.state = 'running' AND busy.runnable_at > ${stamp(now)}
            ), id
            LIMIT 1 FOR UPDATE OF waiting SKIP LOCKED
          )
          UPDATE jobs SET state = 'running', started_at = coalesce(started_at, ${stamp(now)}), updated_at = ${stamp(now)},
            attempts = attempts + 1, runner = ${runner}, runnable_at = ${stamp(until)}
          FROM next WHERE organization_id = organization AND id = job
          RETURNING ${columns}, organization_id AS "organizationId", input, checkpoint, permissions, attempts`
        if (row === undefined) return null
        const { attempts, checkpoint, id, input, organizationId, permissions } = row
        const lease = { organizationId, jobId: id, runner }
        return { lease, job: jobOf(row), input, checkpoint, permissions: new Set(permissions), attempts }
      }, driverFailuresDie),
      renew: Effect.fnUntraced(function* (lease, until) {
        yield* orLost(yield* sql`UPDATE jobs SET runnable_at = ${stamp(until)} WHERE ${leased(lease)} RETURNING 1`)
      }, driverFailuresDie),
      advance: Effect.fnUntraced(function* (lease, { checkpoint, counts, now, progress, until }) {
        const row = yield* orLost(
          yield* sql<{ readonly stopping: boolean }>`
            UPDATE jobs SET checkpoint = ${PgTypes.jsonb(checkpoint)}, counts = ${PgTypes.jsonb(counts)},
              progress_done = ${progress.done}, progress_total = ${progress.total}, attempts = 1,
              runnable_at = ${stamp(until)}, updated_at = ${stamp(now)}
            WHERE ${leased(lease)} RETURNING cancel_requested AS stopping`
        )
        return row.stopping
      }, driverFailuresDie),
      finish: Effect.fnUntraced(function* (lease, { error, now, resultUrl, state }) {
        const row = yield* orLost(
          yield* sql<JobRow>`
            UPDATE jobs SET state = ${state}, error = ${error}, result_url = ${resultUrl}, runner = NULL,
              finished_at = ${stamp(now)}, updated_at = ${stamp(now)}
            WHERE ${leased(lease)} RETURNING ${columns}`
        )
        return jobOf(row)
      }, driverFailuresDie),
      handBack: (lease, now) => release(lease, "greatest(attempts - 1, 0)", now, now),
      postpone: (lease, until, now) => release(lease, "attempts", until, now)
    })
  })
)
