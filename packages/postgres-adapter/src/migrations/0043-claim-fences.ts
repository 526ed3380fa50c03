import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The fence of whoever claims recipients of a broadcast, on the row that all claims of it write. Tallies are counted by the statements that change
 * recipients, and not by a trigger.
 */
export const claimFences = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE broadcast_progress ADD COLUMN fence bigint NOT NULL DEFAULT 0`
  yield* sql`DROP TRIGGER count_added ON broadcast_recipients`
  yield* sql`DROP TRIGGER count_changed ON broadcast_recipients`
  yield* sql`DROP FUNCTION count_broadcast_recipients()`
})
