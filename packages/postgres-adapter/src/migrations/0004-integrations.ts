import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Webhook subscriptions, their deliveries and each attempt. */
const webhooks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Subscriptions with a feature are managed by Parley and are not listed.
  yield* sql`
    CREATE TABLE webhook_subscriptions (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      feature text COLLATE "C",
      name text NOT NULL,
      name_key text COLLATE "C" NOT NULL,
      search text COLLATE "C" NOT NULL,
      url text NOT NULL,
      events text[] NOT NULL,
      filter json NOT NULL,
      payload text COLLATE "C" NOT NULL,
      payload_version text COLLATE "C" NOT NULL,
      ordering text COLLATE "C" NOT NULL,
      headers text[] NOT NULL,
      sealed_headers text,
      permissions text[] NOT NULL,
      secret text NOT NULL,
      former_secrets json NOT NULL,
      status text COLLATE "C" NOT NULL,
      disabled_reason text COLLATE "C",
      disabled_at_position bigint,
      starts_after bigint NOT NULL,
      circuit text COLLATE "C" NOT NULL,
      failures integer NOT NULL,
      failing_since timestamptz,
      probe_at timestamptz,
      last_success_at timestamptz,
      failure_notified_at timestamptz,
      erasures integer NOT NULL,
      version integer NOT NULL,
      PRIMARY KEY (organization_id, id)
    ) WITH (fillfactor = 50)`

  // Has no foreign key to the subscription: deliveries are deleted by age, however many a subscription has.
  yield* sql`
    CREATE TABLE webhook_deliveries (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      subscription_id uuid NOT NULL,
      type text COLLATE "C" NOT NULL,
      event_position bigint NOT NULL,
      subject text COLLATE "C" NOT NULL,
      call json,
      contact_id uuid,
      state text COLLATE "C" NOT NULL,
      scheduled_attempts smallint NOT NULL,
      attempts integer NOT NULL,
      at timestamptz NOT NULL,
      next_attempt_at timestamptz,
      delivered_at timestamptz,
      requested boolean NOT NULL,
      PRIMARY KEY (organization_id, id)
    ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02)`
  yield* sql`
    CREATE INDEX webhook_deliveries_of_subscription ON webhook_deliveries
    (organization_id, subscription_id, at, event_position, id)`
  yield* sql`
    CREATE INDEX webhook_deliveries_pending ON webhook_deliveries
    (organization_id, subscription_id, event_position, id) WHERE state = 'pending'`
  yield* sql`
    CREATE INDEX webhook_deliveries_of_subject ON webhook_deliveries
    (organization_id, subscription_id, subject, event_position, id) WHERE state = 'pending'`
  yield* sql`
    CREATE INDEX webhook_deliveries_requested ON webhook_deliveries (organization_id, subscription_id, at, id)
    WHERE requested`
  yield* sql`
    CREATE INDEX webhook_deliveries_failed ON webhook_deliveries
    (organization_id, subscription_id, at, event_position, id) WHERE state = 'failed'`
  yield* sql`
    CREATE INDEX webhook_deliveries_discarded ON webhook_deliveries
    (organization_id, subscription_id, at, event_position, id) WHERE state = 'discarded'`
  yield* sql`CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (organization_id, at)`
  yield* sql`
    CREATE INDEX webhook_deliveries_of_contact ON webhook_deliveries (organization_id, contact_id)
    WHERE contact_id IS NOT NULL`

  yield* sql`
    CREATE TABLE webhook_attempts (
      organization_id uuid NOT NULL REFERENCES organizations,
      delivery_id uuid NOT NULL,
      number integer NOT NULL,
      at timestamptz NOT NULL,
      trigger text COLLATE "C" NOT NULL,
      duration_ms integer NOT NULL,
      status smallint,
      error text COLLATE "C",
      PRIMARY KEY (organization_id, delivery_id, number)
    )`
  yield* sql`CREATE INDEX webhook_attempts_by_age ON webhook_attempts (organization_id, at)`

  // Requests and answers without secrets. They are deleted earlier than the attempts. An answer can repeat contact data of the request.
  yield* sql`
    CREATE TABLE webhook_attempt_details (
      organization_id uuid NOT NULL REFERENCES organizations,
      delivery_id uuid NOT NULL,
      number integer NOT NULL,
      contact_id uuid,
      at timestamptz NOT NULL,
      request json NOT NULL,
      response json,
      PRIMARY KEY (organization_id, delivery_id, number)
    )`
  yield* sql`CREATE INDEX webhook_attempt_details_by_age ON webhook_attempt_details (organization_id, at)`
  yield* sql`
    CREATE INDEX webhook_attempt_details_of_contact ON webhook_attempt_details (organization_id, contact_id)`
})

/** Plugins with their tokens and calls, and the catalogue of the operator. */
const plugins = Effect.gen(function* () {
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
      install_confirmed boolean NOT NULL,
      last_error json,
      rotates_at timestamptz,
      version integer NOT NULL,
      PRIMARY KEY (organization_id, id),
      UNIQUE (organization_id, key)
    )`

  yield* sql`
    CREATE TABLE plugin_tokens (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      plugin_id uuid NOT NULL,
      expires_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      FOREIGN KEY (organization_id, plugin_id) REFERENCES plugins
    )`
  yield* sql`CREATE INDEX plugin_tokens_by_id ON plugin_tokens (id)`
  yield* sql`CREATE INDEX plugin_tokens_of_plugin ON plugin_tokens (organization_id, plugin_id)`

  // Has no foreign key to the plugin: the call that reports the removal is sent after it.
  yield* sql`
    CREATE TABLE plugin_lifecycle_calls (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      plugin_id uuid NOT NULL,
      type text COLLATE "C" NOT NULL,
      token_id uuid,
      has_secret boolean NOT NULL,
      farewell text,
      attempts smallint NOT NULL,
      due_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id)
    )`
  yield* sql`CREATE INDEX plugin_lifecycle_calls_of_plugin ON plugin_lifecycle_calls (organization_id, plugin_id, id)`

  yield* sql`
    CREATE TABLE plugin_calls (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      plugin_id uuid NOT NULL,
      action text COLLATE "C" NOT NULL,
      key text COLLATE "C" NOT NULL,
      caller text COLLATE "C" NOT NULL,
      run_id text COLLATE "C" NOT NULL,
      contact_id uuid,
      conversation_id uuid,
      input json,
      state text COLLATE "C" NOT NULL,
      output json,
      error json,
      attempts smallint NOT NULL,
      due_at timestamptz,
      at timestamptz NOT NULL,
      log json NOT NULL,
      last_attempt_at timestamptz,
      PRIMARY KEY (organization_id, id)
    ) WITH (fillfactor = 80)`
  yield* sql`
    CREATE INDEX plugin_calls_due ON plugin_calls (organization_id, plugin_id, due_at, id) WHERE due_at IS NOT NULL`
  yield* sql`CREATE INDEX plugin_calls_of_contact ON plugin_calls (organization_id, contact_id)`
  yield* sql`CREATE INDEX plugin_calls_by_age ON plugin_calls (organization_id, at) WHERE due_at IS NULL`
  yield* sql`CREATE INDEX plugin_calls_of_plugin ON plugin_calls (organization_id, plugin_id, at, id)`
  yield* sql`
    CREATE INDEX plugin_calls_with_log ON plugin_calls (organization_id, last_attempt_at)
    WHERE last_attempt_at IS NOT NULL`

  yield* sql`
    CREATE TABLE plugin_catalogue (
      key text COLLATE "C" PRIMARY KEY,
      manifest json NOT NULL,
      url text NOT NULL
    )`
})

/** Tables of webhooks and plugins. */
export const integrations = Effect.all([webhooks, plugins], { discard: true })
