import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** When the sender of a broadcast has confirmed that it stops, when the last recipient got into doubt, and when each was called. */
export const recipientsInHand = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE broadcast_progress ADD COLUMN stopped_at timestamptz, ADD COLUMN doubted_at timestamptz`
  yield* sql`ALTER TABLE broadcast_recipients ADD COLUMN called_at timestamptz`
})
