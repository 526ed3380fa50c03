import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { countAnew } from "./countAnew.ts"

/** What became of the recipients of broadcasts is counted, too; what records were counted as names each scope once; and when the books were checked is kept. */
export const countedBroadcasts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE analytics_books ADD COLUMN checked_at timestamptz`
  yield* countAnew
})
