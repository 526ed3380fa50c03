import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { quantile } from "../load/quantile.ts"
import { figure } from "../report/table.ts"

/** Delay of each due run in milliseconds, until its next step was stored. Clears the due runs. */
export const lateness = (count: number, patienceMillis: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const deadline = performance.now() + patienceMillis
    const read = sql<{ readonly millis: number }>`
      SELECT extract(epoch FROM s.kept_at - d.due_at)::float8 * 1000 AS millis FROM bench_due AS d
      JOIN workflow_run_steps AS s ON s.run_id = d.run_id AND s.position = 3`.unprepared
    let rows = yield* read
    while (rows.length < count && performance.now() < deadline) {
      yield* Effect.sleep("500 millis")
      rows = yield* read
    }
    yield* sql`TRUNCATE bench_due`
    return Float64Array.from(rows, ({ millis }) => millis).toSorted()
  })

/** Statistics of delays. */
export const spread = (sorted: Float64Array) =>
  `median ${figure(quantile(sorted, 0.5))} ms, p99 ${figure(quantile(sorted, 0.99))} ms, most late ${figure(sorted.at(-1) ?? 0)} ms`
