import { assert, layer } from "@effect/vitest"
import { credentials, sealedValues } from "@parley/domain/composition"
import { layerServer } from "@parley/postgres-adapter/testing"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

type Columns = Readonly<Record<string, ReadonlyArray<string>>>

/** The columns that hold credentials, and the names that the areas declare for them. */
const credentialColumns: Columns = {
  "automation_tokens.id": ["automation token"],
  "automation_trigger_urls.token_digest": ["automation trigger URL"],
  "docs_codes.digest": ["docs code"],
  "operator_tokens.id": ["operator token"],
  "members.invitation_digest": ["invitation link"],
  "password_resets.digest": ["password reset link"],
  "plugin_tokens.id": ["plugin token"],
  "refresh_tokens.digest": ["refresh token"],
  "sessions.id": ["session", "access token", "docs session"],
  "store_authorizations.digest": ["store authorization state"],
  "store_parked_codes.digest": ["store journey code"],
  "users.password_hash": ["device token"]
}

/** Columns with similar names that hold no credentials. */
const otherColumns: Readonly<Record<string, string>> = {
  "inbound_deliveries.digest": "the digest of a delivery, to find repetitions",
  "message_charges.provider_message_digest": "the digest of a message's id at the provider",
  "suppressions.digest": "the digest of an identity that opted out"
}

/** Credentials without a row. */
const unstored = ["event stream"]

/** The columns that hold sealed values, and the names that the areas declare for them. */
const sealedColumns: Columns = {
  "automation_trigger_urls.sealed_secret": ["automation/trigger_secret"],
  "chat_accounts.sealed_access_token": ["chat_account/access_token"],
  "chat_accounts.sealed_app_secret": ["chat_account/app_secret"],
  "chat_accounts.sealed_former_app_secret": ["chat_account/app_secret"],
  "chat_accounts.sealed_pending_pin": ["chat_account/registration_pin"],
  "chat_accounts.sealed_registration_pin": ["chat_account/registration_pin"],
  "chat_accounts.sealed_verify_token": ["chat_account/verify_token"],
  "emails.sealed_email": ["mail/text"],
  "message_codes.sealed_code": ["message/one_time_code"],
  "plugin_lifecycle_calls.farewell": ["plugin_call/farewell"],
  "plugins.sealed_settings": ["plugin/settings"],
  "store_connections.sealed_access_token": ["store_connection/access_token"],
  "store_connections.sealed_refresh_token": ["store_connection/refresh_token"],
  "store_parked_codes.sealed_code": ["store_connection/parked_code"],
  "suppression_keys.sealed_key": ["suppressions/key"],
  "webhook_subscriptions.former_secrets": ["webhook_subscription/secret"],
  "webhook_subscriptions.sealed_headers": ["webhook_subscription/headers"],
  "webhook_subscriptions.secret": ["webhook_subscription/secret"]
}

/** Sealed by adapters, and never sent. */
const sealedByAdapters: Readonly<Record<string, string>> = {
  "idempotency_keys.sealed_answer": "the answer to a repeated call",
  "signing_keys.sealed_private_key": "the key that signs tokens"
}

const columnsLike = (pattern: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ readonly column: string }>`
      SELECT table_name || '.' || column_name AS "column" FROM information_schema.columns
      WHERE table_schema = 'public' AND table_name || '.' || column_name ~ ${pattern} ORDER BY 1`
  ).pipe(Effect.map((rows) => rows.map(({ column }) => column)))

const namesIn = (columns: Columns) => Array.from(new Set(Object.values(columns).flat())).toSorted()

layer(layerServer)("the columns of the database", (it) => {
  it.effect("that hold credentials match the declared credentials", () =>
    Effect.gen(function* () {
      const known = [...Object.keys(credentialColumns), ...Object.keys(otherColumns)]
      const found = yield* columnsLike("(digest$|_tokens\\.id$|^sessions\\.id$|password_hash$)")
      assert.deepStrictEqual(found, known.toSorted())
      const declared = credentials.map(({ name }) => name)
      assert.deepStrictEqual([...namesIn(credentialColumns), ...unstored].toSorted(), declared.toSorted())
    })
  )

  it.effect("that hold sealed values match the values with a declared place", () =>
    Effect.gen(function* () {
      const known = [...Object.keys(sealedColumns), ...Object.keys(sealedByAdapters)]
      const found = yield* columnsLike("(\\.sealed_|\\.(former_)?secrets?$|farewell$)")
      assert.deepStrictEqual(found, known.toSorted())
      assert.deepStrictEqual(namesIn(sealedColumns), sealedValues.map(({ name }) => name).toSorted())
    })
  )
})
