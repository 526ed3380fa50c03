import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Numbers and deliveries are those of a provider: two providers may give the same ids. */
export const channels = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    ALTER TABLE chat_accounts DROP CONSTRAINT chat_accounts_number,
      ADD CONSTRAINT chat_accounts_number UNIQUE (organization_id, provider, external_phone_id)`

  // Until now there was one provider.
  yield* sql`ALTER TABLE deliveries ADD COLUMN provider text NOT NULL DEFAULT 'whatsapp'`
  yield* sql`ALTER TABLE deliveries ALTER COLUMN provider DROP DEFAULT`
})
