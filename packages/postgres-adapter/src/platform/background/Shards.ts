import { type OwnedShard, shardCount, Shards, type WorkerProcess } from "@parley/domain/platform"
import { Effect, Layer } from "effect"
import { Notifications } from "../events/Notifications.ts"
import { ownRelease } from "../../migrating/releases.ts"
import { stamp } from "../../kernel/columns.ts"
import { storagePort } from "../../kernel/tenantPort.ts"
import { ownConnection } from "./ownConnection.ts"

interface ViewRow {
  readonly isAlive: boolean
  readonly nodes: ReadonlyArray<WorkerProcess>
  readonly owned: ReadonlyArray<OwnedShard>
}

export const layer = Layer.effect(
  Shards,
  Effect.gen(function* () {
    const onOwn = yield* ownConnection
    const { awaitShards, shardsMoved } = yield* Notifications
    const tell = Effect.tap(Effect.sync(shardsMoved))

    return storagePort(Shards, {
      join: ({ also = [], id, name, now, tasks }) =>
        onOwn(
          (sql) => sql`
            WITH node AS (
              INSERT INTO worker_processes (id, name, release, tasks, heartbeat, joined_at, last_seen_at)
              VALUES (${id}, ${name}, ${ownRelease}, ${[...tasks, ...also]}, 0, ${stamp(now)}, ${stamp(now)})
            )
            INSERT INTO task_shards (task, shard, fence)
            SELECT w.task, s.shard, 0 FROM unnest(${Array.from(tasks)}::text[]) AS w (task)
              CROSS JOIN generate_series(0, ${shardCount - 1}::integer) AS s (shard)
            WHERE NOT EXISTS (SELECT FROM task_shards AS known WHERE known.task = w.task)
            ORDER BY w.task, s.shard ON CONFLICT DO NOTHING`
        ).pipe(Effect.asVoid, tell),
      renew: Effect.fnUntraced(function* (id, now) {
        const [view] = yield* onOwn(
          (sql) => sql<ViewRow>`
            WITH mine AS (
              UPDATE worker_processes SET heartbeat = heartbeat + 1, last_seen_at = ${stamp(now)}
              WHERE id = ${id} RETURNING 1
            )
            SELECT EXISTS (SELECT FROM mine) AS "isAlive",
              (SELECT coalesce(json_agg(json_build_object('id', id, 'name', name, 'tasks', tasks, 'beat', heartbeat)), '[]')
                FROM worker_processes) AS nodes,
              (SELECT coalesce(json_agg(json_build_object('task', task, 'shard', shard, 'fence', fence)), '[]')
                FROM task_shards WHERE process_id = ${id}) AS owned`
        )
        return view?.isAlive === true ? { nodes: view.nodes, owned: view.owned } : null
      }),
      expire: (id, beat) =>
        onOwn(
          (sql) => sql`DELETE FROM worker_processes WHERE id = ${id} AND heartbeat = ${beat}::bigint RETURNING 1`
        ).pipe(
          Effect.map((expired) => expired.length > 0),
          tell
        ),
      // Shards that another process is claiming are skipped.
      claim: (id, task, count) =>
        onOwn(
          (sql) => sql<OwnedShard>`
              WITH free AS MATERIALIZED (
                SELECT shard FROM task_shards AS s
                WHERE task = ${task} AND (
                  process_id IS NULL OR NOT EXISTS (SELECT FROM worker_processes AS n WHERE n.id = s.process_id))
                ORDER BY shard LIMIT ${count} FOR UPDATE SKIP LOCKED
              )
              UPDATE task_shards AS s SET process_id = ${id}, fence = fence + 1 FROM free
              WHERE s.task = ${task} AND s.shard = free.shard AND EXISTS (SELECT FROM worker_processes WHERE id = ${id})
              RETURNING s.task, s.shard, s.fence::float8 AS fence`
        ),
      release: (id, shards) =>
        onOwn(
          (sql) => sql`
            UPDATE task_shards AS s SET process_id = NULL FROM unnest(
              ${shards.map(({ task }) => task)}::text[], ${shards.map(({ shard }) => shard)}::smallint[],
              ${shards.map(({ fence }) => fence)}::bigint[]
            ) AS given (task, shard, fence)
            WHERE s.task = given.task AND s.shard = given.shard AND s.process_id = ${id} AND s.fence = given.fence`
        ).pipe(Effect.asVoid, tell),
      leave: (id) =>
        onOwn(
          (sql) => sql`
            WITH gone AS (DELETE FROM worker_processes WHERE id = ${id})
            UPDATE task_shards SET process_id = NULL WHERE process_id = ${id}`
        ).pipe(Effect.asVoid, tell),
      awaitNotification: awaitShards
    })
  })
)
