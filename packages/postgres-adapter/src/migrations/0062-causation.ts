import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Which automations and workflows an event comes from. Nothing came from any before. */
export const causation = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE events ADD COLUMN causation jsonb`
})
