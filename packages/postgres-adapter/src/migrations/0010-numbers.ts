import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * A number that is removed is kept without its secrets, so that it can be connected again with its history, and the phone of every
 * number is written in E.164. Conversations of accounts that were deleted before this stay with those: nothing says any more
 * which numbers they were.
 */
export const numbers = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`ALTER TABLE chat_accounts ADD COLUMN removed_at timestamptz`
  yield* sql`ALTER TABLE chat_accounts ALTER COLUMN sealed_access_token DROP NOT NULL`
  yield* sql`
    ALTER TABLE chat_accounts ADD CONSTRAINT chat_accounts_removed CHECK (
      CASE WHEN removed_at IS NULL THEN sealed_access_token IS NOT NULL
      ELSE num_nonnulls(sealed_access_token, sealed_app_secret, sealed_former_app_secret, sealed_verify_token) = 0 END)`

  // The provider shows its numbers with their country codes: without spaces and signs they are E.164.
  yield* sql`
    UPDATE chat_accounts SET phone = CASE
      WHEN phone ~ '^\\+?[1-9][-0-9 ().]*$' AND regexp_replace(phone, '[^0-9]', '', 'g') ~ '^[0-9]{7,15}$'
      THEN '+' || regexp_replace(phone, '[^0-9]', '', 'g') END
    WHERE phone !~ '^\\+[1-9][0-9]{6,14}$'`
})
