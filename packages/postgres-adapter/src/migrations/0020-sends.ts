import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Messages are sent account by account, in lanes: none has a lease of its own any more. */
export const sends = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`DROP INDEX sends_by_turn`
  yield* sql`DROP INDEX chat_accounts_resting`
  yield* sql`ALTER TABLE sends DROP COLUMN sender, ADD COLUMN revision integer NOT NULL DEFAULT 0, ADD COLUMN begun_by uuid`
  // A lease was until when a message could not be claimed: what waits can be sent now.
  yield* sql`UPDATE sends SET runnable_at = least(runnable_at, now()) WHERE has_begun`
  yield* sql`CREATE INDEX sends_by_account ON sends (organization_id, chat_account_id, runnable_at, message_id)`
})
