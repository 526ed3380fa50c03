import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** When recipients of a broadcast were last taken in hand. When broadcasts start is told by their schedules alone. */
export const claims = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE broadcast_progress ADD COLUMN claimed_at timestamptz`
  yield* sql`ALTER TABLE broadcasts DROP COLUMN starts_at`
})
