import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Accounts may be an address of their own, where their messages are posted. */
export const endpoints = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE chat_accounts ADD COLUMN url text`
})
