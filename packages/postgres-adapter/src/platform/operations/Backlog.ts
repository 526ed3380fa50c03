import { Backlog } from "@parley/domain/platform"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, utcOrNull } from "../../kernel/columns.ts"
import { storagePort } from "../../kernel/tenantPort.ts"

interface Row {
  readonly deliveriesWaiting: number
  readonly deliveriesParked: number
  readonly oldestDelivery: Instant | null
  readonly sendsWaiting: number
  readonly oldestSend: Instant | null
  readonly jobsQueued: number
  readonly jobsRunning: number
  readonly oldestJob: Instant | null
  readonly runsQueued: number
  readonly runsWaiting: number
  readonly runsCalling: number
  readonly oldestRun: Instant | null
}

export const layer = Layer.effect(
  Backlog,
  Effect.map(SqlClient.SqlClient, (sql) =>
    storagePort(Backlog, {
      size: Effect.gen(function* () {
        const [row] = yield* sql<Row>`
          SELECT d.*, s.*, j.*, r.* FROM
            (SELECT count(*) FILTER (WHERE state = 'waiting')::integer AS "deliveriesWaiting",
              count(*) FILTER (WHERE state = 'parked')::integer AS "deliveriesParked",
              min(received_at) FILTER (WHERE state = 'waiting') AS "oldestDelivery" FROM (
                SELECT state, received_at FROM inbound_deliveries WHERE state = 'waiting'
                UNION ALL SELECT state, received_at FROM inbound_deliveries WHERE state = 'parked') AS unapplied) AS d,
            (SELECT count(*)::integer AS "sendsWaiting", min(due_at) AS "oldestSend" FROM send_queue) AS s,
            (SELECT count(*) FILTER (WHERE state = 'queued')::integer AS "jobsQueued",
              count(*) FILTER (WHERE state = 'running')::integer AS "jobsRunning",
              min(created_at) FILTER (WHERE state = 'queued') AS "oldestJob"
              FROM jobs WHERE state IN ('queued', 'running')) AS j,
            (SELECT count(*) FILTER (WHERE queue = 'ready')::integer AS "runsQueued",
              count(*) FILTER (WHERE queue = 'waiting')::integer AS "runsWaiting",
              count(*) FILTER (WHERE queue = 'calling')::integer AS "runsCalling",
              min(created_at) FILTER (WHERE queue = 'ready') AS "oldestRun" FROM (
                SELECT queue, created_at FROM automation_runs WHERE queue = 'ready'
                UNION ALL SELECT queue, created_at FROM automation_runs WHERE queue = 'waiting'
                UNION ALL SELECT queue, created_at FROM automation_runs WHERE queue = 'calling') AS unperformed) AS r`
        if (row === undefined) return yield* Effect.die(new Error("The database did not say how much waits."))
        return {
          deliveries: {
            waiting: row.deliveriesWaiting,
            parked: row.deliveriesParked,
            oldest: utcOrNull(row.oldestDelivery)
          },
          sends: { waiting: row.sendsWaiting, oldest: utcOrNull(row.oldestSend) },
          jobs: { queued: row.jobsQueued, running: row.jobsRunning, oldest: utcOrNull(row.oldestJob) },
          automationRuns: {
            queued: row.runsQueued,
            waiting: row.runsWaiting,
            calling: row.runsCalling,
            oldest: utcOrNull(row.oldestRun)
          }
        }
      })
    })
  )
)
