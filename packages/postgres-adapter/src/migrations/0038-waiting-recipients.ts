import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Until when a recipient waits, apart from its status. An index whose condition names the status has to be looked at with every change of it,
 * and all other indexes with it; this one changes only with those who wait.
 */
export const waitingRecipients = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // A recipient has twice as much to keep once it was sent to, and stays on its page.
  yield* sql`ALTER TABLE broadcast_recipients SET (fillfactor = 50)`
  yield* sql`DROP INDEX broadcast_recipients_waiting`
  yield* sql`
    ALTER TABLE broadcast_recipients ADD COLUMN waits_until timestamptz
      GENERATED ALWAYS AS (CASE WHEN status = 'waiting' THEN due_at END) STORED`
  yield* sql`
    CREATE INDEX broadcast_recipients_waiting ON broadcast_recipients (organization_id, broadcast_id, waits_until, seq)
    WHERE waits_until IS NOT NULL`
})
