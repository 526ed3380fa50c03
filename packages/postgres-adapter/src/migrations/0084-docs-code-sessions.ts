import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The session that a docs code comes from. Codes of earlier releases have none and are refused; they live for 60 seconds. */
export const docsCodeSessions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE docs_codes ADD COLUMN session_id uuid`
})
