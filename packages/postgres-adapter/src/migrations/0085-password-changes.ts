import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Adds whether a user must replace the password. False for existing users, because the next login detects common passwords. */
export const passwordChanges = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE users ADD COLUMN must_change_password boolean NOT NULL DEFAULT false`
})
