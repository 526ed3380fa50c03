import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The numbers that organizations write from, and the templates that the provider keeps for them. */
export const chat = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Secrets stand here sealed only. That a number is connected through the platform app once at all is not for an index
  // to say: a key over all organizations would tell one of them what another one has.
  yield* sql`
    CREATE TABLE chat_accounts (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      provider text NOT NULL,
      mode text NOT NULL,
      display_name text NOT NULL,
      phone text,
      external_account_id text COLLATE "C" NOT NULL,
      external_phone_id text COLLATE "C" NOT NULL,
      status text NOT NULL,
      quality_rating text NOT NULL,
      messaging_limit text,
      throughput_per_second integer,
      last_checked_at timestamptz,
      last_error jsonb,
      sealed_access_token text NOT NULL,
      sealed_app_secret text,
      sealed_former_app_secret text,
      former_app_secret_until timestamptz,
      sealed_verify_token text,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      version integer NOT NULL,
      send_failures integer NOT NULL DEFAULT 0,
      sends_rest_until timestamptz,
      templates_wanted_at timestamptz,
      templates_fetcher text,
      PRIMARY KEY (organization_id, id),
      CONSTRAINT chat_accounts_number UNIQUE (organization_id, external_phone_id)
    )`
  yield* sql`
    CREATE INDEX chat_accounts_platform_number ON chat_accounts (external_phone_id) WHERE mode = 'platform_app'`
  yield* sql`
    CREATE INDEX chat_accounts_platform_business ON chat_accounts (external_account_id) WHERE mode = 'platform_app'`

  yield* sql`
    CREATE INDEX chat_accounts_resting ON chat_accounts (sends_rest_until) WHERE sends_rest_until IS NOT NULL`
  yield* sql`
    CREATE INDEX chat_accounts_wanting ON chat_accounts (templates_wanted_at) WHERE templates_wanted_at IS NOT NULL`

  yield* sql`
    CREATE TABLE message_templates (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      chat_account_id uuid NOT NULL,
      name text COLLATE "C" NOT NULL,
      language text COLLATE "C" NOT NULL,
      category text NOT NULL,
      components jsonb NOT NULL,
      variables jsonb NOT NULL,
      status text NOT NULL,
      rejection_reason text,
      quality text NOT NULL,
      external_id text,
      held_until timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      version integer NOT NULL,
      PRIMARY KEY (organization_id, id),
      CONSTRAINT message_templates_name UNIQUE (organization_id, chat_account_id, name, language),
      CONSTRAINT message_templates_account FOREIGN KEY (organization_id, chat_account_id) REFERENCES chat_accounts
        ON DELETE CASCADE
    )`
  yield* sql`CREATE INDEX message_templates_by_name ON message_templates (organization_id, name, language, id)`
})
