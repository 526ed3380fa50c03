import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Who answers for automation tokens, and from where people have logged in. */
export const tokens = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE automation_tokens ADD COLUMN responsible_user_id uuid, ADD COLUMN adopted_at timestamptz`
  yield* sql`UPDATE automation_tokens SET responsible_user_id = created_by`
  yield* sql`ALTER TABLE automation_tokens ALTER COLUMN responsible_user_id SET NOT NULL`

  // Both are keyed digests. A slot is what an account's known addresses have a share of the tries in.
  yield* sql`
    CREATE TABLE login_addresses (
      account text NOT NULL,
      slot smallint NOT NULL,
      address text NOT NULL,
      seen_at timestamptz NOT NULL,
      PRIMARY KEY (account, slot)
    )`
  yield* sql`CREATE INDEX login_addresses_seen ON login_addresses (seen_at)`
})
