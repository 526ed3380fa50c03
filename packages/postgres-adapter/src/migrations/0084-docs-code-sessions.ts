import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Adds the parent session of a docs code. Codes of earlier releases have none and are rejected; they live for 60 seconds. */
export const docsCodeSessions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE docs_codes ADD COLUMN session_id uuid`
})
