import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** An index that holds what most audiences ask of a contact, so that a million of them are counted without being read. */
export const audiences = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // No change of a contact has to touch it that another index need not be touched for.
  yield* sql`
    CREATE INDEX contacts_audience ON contacts (organization_id, id) INCLUDE (phone, marketing, blocked_at)`
})
