import { WorkerDirectory } from "@parley/domain/platform"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, stamp, utc } from "../../kernel/columns.ts"
import { storagePort } from "../../kernel/tenantPort.ts"

interface ProcessRow {
  readonly id: string
  readonly name: string
  readonly tasks: ReadonlyArray<string>
  readonly shards: Readonly<Record<string, number>>
  readonly joinedAt: Instant
  readonly seenAt: Instant
}

interface LanesRow {
  readonly task: string
  readonly count: number
  readonly since: Instant
}

export const layer = Layer.effect(
  WorkerDirectory,
  Effect.map(SqlClient.SqlClient, (sql) =>
    storagePort(WorkerDirectory, {
      processes: Effect.gen(function* () {
        const rows = yield* sql<ProcessRow>`
          SELECT id, name, tasks, joined_at AS "joinedAt", last_seen_at AS "seenAt", (
            SELECT coalesce(json_object_agg(owned.task, owned.count), '{}') FROM (
              SELECT s.task, count(*)::integer AS count FROM task_shards AS s WHERE s.process_id = n.id GROUP BY s.task
            ) AS owned) AS shards
          FROM worker_processes AS n ORDER BY joined_at, id`
        return rows.map((row) => ({ ...row, joinedAt: utc(row.joinedAt), seenAt: utc(row.seenAt) }))
      }),
      dueLanes: Effect.fnUntraced(function* (now) {
        const rows = yield* sql<LanesRow>`
          SELECT task, count(*)::integer AS count, min(due_at) AS since FROM lanes
          WHERE due_at <= ${stamp(now)} GROUP BY task ORDER BY task`
        return rows.map(({ count, since, task }) => ({ task, count, since: utc(since) }))
      })
    })
  )
)
