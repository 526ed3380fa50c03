import { WorkerDirectory } from "@parley/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, stamp, utc } from "../../kernel/columns.ts"
import { driverFailuresDie } from "../../kernel/defects.ts"

interface ProcessRow {
  readonly id: string
  readonly name: string
  readonly works: ReadonlyArray<string>
  readonly shards: Readonly<Record<string, number>>
  readonly joinedAt: Instant
  readonly seenAt: Instant
}

interface LanesRow {
  readonly work: string
  readonly count: number
  readonly since: Instant
}

export const layer = Layer.effect(
  WorkerDirectory,
  Effect.map(SqlClient.SqlClient, (sql) =>
    WorkerDirectory.of({
      processes: Effect.gen(function* () {
        const rows = yield* sql<ProcessRow>`
          SELECT id, name, works, joined_at AS "joinedAt", seen_at AS "seenAt", (
            SELECT coalesce(json_object_agg(owned.work, owned.count), '{}') FROM (
              SELECT s.work, count(*)::integer AS count FROM work_shards AS s WHERE s.node = n.id GROUP BY s.work
            ) AS owned) AS shards
          FROM work_nodes AS n ORDER BY joined_at, id`
        return rows.map((row) => ({ ...row, joinedAt: utc(row.joinedAt), seenAt: utc(row.seenAt) }))
      }).pipe(driverFailuresDie),
      dueLanes: Effect.fnUntraced(function* (now) {
        const rows = yield* sql<LanesRow>`
          SELECT work, count(*)::integer AS count, min(due_at) AS since FROM work_lanes
          WHERE due_at <= ${stamp(now)} GROUP BY work ORDER BY work`
        return rows.map(({ count, since, work }) => ({ work, count, since: utc(since) }))
      }, driverFailuresDie)
    })
  )
)
