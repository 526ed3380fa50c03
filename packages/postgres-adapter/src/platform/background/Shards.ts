import { type OwnedShard, shardCount, Shards, type WorkerProcess } from "@parley/domain"
import { Effect, Layer } from "effect"
import { Notifications } from "../events/Notifications.ts"
import { stamp } from "../../kernel/columns.ts"
import { driverFailuresDie } from "../../kernel/defects.ts"
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

    return Shards.of({
      join: ({ also = [], id, name, now, works }) =>
        onOwn(
          (sql) => sql`
            WITH node AS (
              INSERT INTO work_nodes (id, name, works, beat, joined_at, seen_at)
              VALUES (${id}, ${name}, ${[...works, ...also]}, 0, ${stamp(now)}, ${stamp(now)})
            )
            INSERT INTO work_shards (work, shard, fence)
            SELECT w.work, s.shard, 0 FROM unnest(${Array.from(works)}::text[]) AS w (work)
              CROSS JOIN generate_series(0, ${shardCount - 1}::integer) AS s (shard)
            WHERE NOT EXISTS (SELECT FROM work_shards AS known WHERE known.work = w.work)
            ORDER BY w.work, s.shard ON CONFLICT DO NOTHING`
        ).pipe(Effect.asVoid, tell, driverFailuresDie),
      renew: Effect.fnUntraced(function* (id, now) {
        const [view] = yield* onOwn(
          (sql) => sql<ViewRow>`
            WITH mine AS (
              UPDATE work_nodes SET beat = beat + 1, seen_at = ${stamp(now)} WHERE id = ${id} RETURNING 1
            )
            SELECT EXISTS (SELECT FROM mine) AS "isAlive",
              (SELECT coalesce(json_agg(json_build_object('id', id, 'works', works, 'beat', beat)), '[]') FROM work_nodes)
                AS nodes,
              (SELECT coalesce(json_agg(json_build_object('work', work, 'shard', shard, 'fence', fence)), '[]')
                FROM work_shards WHERE node = ${id}) AS owned`
        )
        return view?.isAlive === true ? { nodes: view.nodes, owned: view.owned } : null
      }, driverFailuresDie),
      expire: (id, beat) =>
        onOwn((sql) => sql`DELETE FROM work_nodes WHERE id = ${id} AND beat = ${beat}::bigint RETURNING 1`).pipe(
          Effect.map((expired) => expired.length > 0),
          tell,
          driverFailuresDie
        ),
      // Shards that another process is claiming are skipped.
      claim: (id, work, count) =>
        driverFailuresDie(
          onOwn(
            (sql) => sql<OwnedShard>`
              WITH free AS MATERIALIZED (
                SELECT shard FROM work_shards AS s
                WHERE work = ${work} AND (node IS NULL OR NOT EXISTS (SELECT FROM work_nodes AS n WHERE n.id = s.node))
                ORDER BY shard LIMIT ${count} FOR UPDATE SKIP LOCKED
              )
              UPDATE work_shards AS s SET node = ${id}, fence = fence + 1 FROM free
              WHERE s.work = ${work} AND s.shard = free.shard AND EXISTS (SELECT FROM work_nodes WHERE id = ${id})
              RETURNING s.work, s.shard, s.fence::float8 AS fence`
          )
        ),
      release: (id, shards) =>
        onOwn(
          (sql) => sql`
            UPDATE work_shards AS s SET node = NULL FROM unnest(
              ${shards.map(({ work }) => work)}::text[], ${shards.map(({ shard }) => shard)}::smallint[],
              ${shards.map(({ fence }) => fence)}::bigint[]
            ) AS given (work, shard, fence)
            WHERE s.work = given.work AND s.shard = given.shard AND s.node = ${id} AND s.fence = given.fence`
        ).pipe(Effect.asVoid, tell, driverFailuresDie),
      leave: (id) =>
        onOwn(
          (sql) => sql`
            WITH gone AS (DELETE FROM work_nodes WHERE id = ${id})
            UPDATE work_shards SET node = NULL WHERE node = ${id}`
        ).pipe(Effect.asVoid, tell, driverFailuresDie),
      awaitNotification: awaitShards
    })
  })
)
