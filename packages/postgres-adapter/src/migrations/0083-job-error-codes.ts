import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Adds the error code of failed jobs. Earlier jobs have no code. */
export const jobErrorCodes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE jobs ADD COLUMN error_code text`
})
