import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Plugins with their tokens, what they are to be told, and the catalogue that operators fill. */
export const plugins = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE plugins (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      key text COLLATE "C" NOT NULL,
      manifest json NOT NULL,
      status text COLLATE "C" NOT NULL,
      settings json NOT NULL,
      secret_names text[] NOT NULL,
      sealed_settings text,
      is_greeted boolean NOT NULL,
      last_error json,
      rotates_at timestamptz,
      version integer NOT NULL,
      PRIMARY KEY (organization_id, id),
      UNIQUE (organization_id, key)
    )`
  yield* sql`
    CREATE TABLE plugin_tokens (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      plugin_id uuid NOT NULL,
      expires_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, plugin_id) REFERENCES plugins (organization_id, id)
    )`
  yield* sql`CREATE INDEX plugin_tokens_by_id ON plugin_tokens (id)`
  yield* sql`CREATE INDEX plugin_tokens_of_plugin ON plugin_tokens (organization_id, plugin_id)`
  // No key to the plugin: it is told that it is gone.
  yield* sql`
    CREATE TABLE plugin_lifecycle_calls (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      plugin_id uuid NOT NULL,
      type text COLLATE "C" NOT NULL,
      token_id uuid,
      has_secret boolean NOT NULL,
      farewell text,
      tries smallint NOT NULL,
      due_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id)
    )`
  yield* sql`
    CREATE INDEX plugin_lifecycle_calls_of_plugin ON plugin_lifecycle_calls (organization_id, plugin_id, id)`
  yield* sql`
    CREATE TABLE plugin_catalogue (
      key text COLLATE "C" PRIMARY KEY,
      manifest json NOT NULL,
      url text NOT NULL
    )`
  // A feature has events delivered by a subscription that nobody else sees.
  yield* sql`ALTER TABLE webhook_subscriptions ADD COLUMN feature text COLLATE "C"`
})
