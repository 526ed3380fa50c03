import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What messages say besides their words: orders, where a contact came from, prices, and what the provider told as it was. */
export const content = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    ALTER TABLE messages ADD COLUMN ordered json, ADD COLUMN referral json, ADD COLUMN raw json, ADD COLUMN pricing json`
  yield* sql`ALTER TABLE early_receipts ADD COLUMN pricing json`
  // With every reading it is looked whether a message was changed or taken back. Few are, so there is next to nothing in it.
  yield* sql`
    CREATE INDEX messages_changes ON messages (organization_id, chat_account_id, reply_to_provider_id)
    WHERE kind IN ('edit', 'revocation')`
})
