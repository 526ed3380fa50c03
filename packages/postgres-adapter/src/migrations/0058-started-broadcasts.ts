import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Broadcasts are listed by when they started, among those that have. */
export const startedBroadcasts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE INDEX broadcasts_started ON broadcasts (organization_id, started_at, id) WHERE started_at IS NOT NULL`
})
