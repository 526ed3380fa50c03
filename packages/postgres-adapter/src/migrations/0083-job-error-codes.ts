import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Why jobs failed. Those that failed before have no code. */
export const jobErrorCodes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE jobs ADD COLUMN error_code text`
})
