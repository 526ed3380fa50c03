import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Limits a mailbox to one reset link. Of several links of an earlier release, the newest stays. */
export const oneResetLink = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    DELETE FROM password_resets AS earlier USING password_resets AS later
    WHERE earlier.email = later.email AND (earlier.expires_at, earlier.digest) < (later.expires_at, later.digest)`
  yield* sql`DROP INDEX password_resets_email`
  yield* sql`CREATE UNIQUE INDEX password_resets_email ON password_resets (email)`
})
