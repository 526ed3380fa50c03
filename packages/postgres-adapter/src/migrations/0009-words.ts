import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** One word for one thing: what is said is `text`, what a field is called is its `name`, as everywhere else. */
export const words = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE notes RENAME COLUMN body TO text`
  yield* sql`ALTER TABLE canned_replies RENAME COLUMN body TO text`
  yield* sql`ALTER TABLE contact_fields RENAME COLUMN label TO name`
})
