import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Drawing } from "./drawing.ts"

/** Ends connections of the server at random moments, half of the time a busy one. */
export const cutOffConnections = Effect.fnUntraced(function* (draws: Drawing, mostMillis: number, count: () => void) {
  if (mostMillis === 0) return
  const sql = yield* SqlClient.SqlClient
  while (true) {
    yield* Effect.sleep(draws.between(Math.ceil(mostMillis / 10), mostMillis))
    const [atWork, place] = [draws.chance(0.5), draws.between(0, 1_000)]
    const cut = sql`
      WITH connections AS (
        SELECT pid, row_number() OVER (ORDER BY pid) AS place, count(*) OVER () AS count FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'parley-bench'
          AND (${!atWork} OR state <> 'idle')
      )
      SELECT pg_terminate_backend(pid) FROM connections WHERE place = 1 + ${place}::integer % count`
    // The server can be down for other reasons.
    const ended = yield* Effect.option(Effect.sandbox(cut))
    if (ended._tag === "Some" && ended.value.length > 0) count()
  }
})
