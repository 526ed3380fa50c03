import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Stores the organization of an idempotency key as a uuid. Callers without an organization use the nil UUID. */
export const uuidKeys = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Expired answers go first, because the change of the type rewrites the table.
  yield* sql`DELETE FROM idempotency_keys WHERE stored_at <= now() - interval '24 hours'`
  yield* sql`ALTER TABLE idempotency_keys ALTER COLUMN organization_id TYPE uuid USING organization_id::uuid`
})
