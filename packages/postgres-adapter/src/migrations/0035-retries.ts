import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Whom of another broadcast one tries again. */
export const retries = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE broadcasts ADD COLUMN retry json`
})
