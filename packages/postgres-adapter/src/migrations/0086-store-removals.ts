import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Adds the start of the removal of a store. Earlier removals have no start. */
export const storeRemovals = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE store_connections ADD COLUMN removal_started_at timestamptz`
})
