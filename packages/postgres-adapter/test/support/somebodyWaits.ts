import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Completes when a statement waits for a row. */
export const somebodyWaits = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const waiting = Effect.map(
    sql<{ readonly count: number }>`
      SELECT count(*)::integer AS count FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    ([row]) => row?.count ?? 0
  )
  yield* Effect.repeat(waiting, { until: (count) => count > 0 })
})
