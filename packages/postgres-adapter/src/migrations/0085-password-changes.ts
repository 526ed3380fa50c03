import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Whether a user must replace the password. Nobody has to who is there: common passwords are found at the next login. */
export const passwordChanges = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE users ADD COLUMN must_change_password boolean NOT NULL DEFAULT false`
})
