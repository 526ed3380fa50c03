import { type LaneLease, LaneQueue, defineLaneWorker, transact } from "@parley/domain"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"

/** File of the completed work of workers, in order. */
export const makeTally = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`
    CREATE TABLE chaos_writes (
      place bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      work text NOT NULL, lane text NOT NULL, fence bigint NOT NULL, node text NOT NULL,
      at timestamptz NOT NULL DEFAULT clock_timestamp()
    )`
)

const write = Effect.fnUntraced(function* (node: string, { fence, key, task }: LaneLease) {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.orDie(
    sql`INSERT INTO chaos_writes (work, lane, fence, node) VALUES (${task}, ${key}, ${fence}::bigint, ${node})`
  )
})

/** Work of the workers: each lane repeatedly, and a crowd of lanes once. */
export const works = (node: string) =>
  [
    defineLaneWorker({
      name: "again",
      concurrency: 30,
      run: Effect.fnUntraced(function* (lease) {
        yield* write(node, lease)
        // The commit is delayed, so a process is often stopped before it.
        yield* Effect.sleep("20 millis")
        yield* (yield* LaneQueue).postpone(lease, DateTime.add(yield* DateTime.now, { milliseconds: 400 }))
        return "closed" as const
      }, transact),
      nextDue: () => DateTime.now
    }),
    defineLaneWorker({
      name: "once",
      concurrency: 30,
      run: Effect.fnUntraced(function* (lease) {
        yield* write(node, lease)
        yield* (yield* LaneQueue).close(lease)
        return "closed" as const
      }, transact),
      nextDue: () => Effect.succeed(null)
    })
  ] as const
