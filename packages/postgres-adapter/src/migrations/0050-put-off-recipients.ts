import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Until when a recipient was put off, to tell who waits for that from who waits for something else, and whether all of those are to be looked at again. */
export const putOffRecipients = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE broadcast_recipients ADD COLUMN put_off_until timestamptz`
  yield* sql`ALTER TABLE broadcast_progress ADD COLUMN is_recalled boolean NOT NULL DEFAULT FALSE`
})
