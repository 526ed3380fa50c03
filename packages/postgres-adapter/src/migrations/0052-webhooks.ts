import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Addresses that events are posted to, what is delivered to them, and every attempt. */
export const webhooks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE webhook_subscriptions (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      name text NOT NULL,
      url text NOT NULL,
      events text[] NOT NULL,
      filter json NOT NULL,
      payload text COLLATE "C" NOT NULL,
      payload_version text COLLATE "C" NOT NULL,
      ordering text COLLATE "C" NOT NULL,
      headers text[] NOT NULL,
      permissions text[] NOT NULL,
      status text COLLATE "C" NOT NULL,
      disabled_reason text COLLATE "C",
      disabled_at_position bigint,
      version integer NOT NULL,
      starts_after bigint NOT NULL,
      secret text NOT NULL,
      former_secrets json NOT NULL,
      sealed_headers text,
      circuit text COLLATE "C" NOT NULL,
      failures integer NOT NULL,
      failing_since timestamptz,
      probe_at timestamptz,
      last_success_at timestamptz,
      warned_at timestamptz,
      PRIMARY KEY (organization_id, id)
    ) WITH (fillfactor = 50)`
  // No key to the subscription: what was delivered is forgotten by its age, however much there is of it.
  yield* sql`
    CREATE TABLE webhook_deliveries (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      subscription_id uuid NOT NULL,
      type text COLLATE "C" NOT NULL,
      place bigint NOT NULL,
      subject text COLLATE "C" NOT NULL,
      state text COLLATE "C" NOT NULL,
      spent smallint NOT NULL,
      attempts integer NOT NULL,
      at timestamptz NOT NULL,
      next_attempt_at timestamptz,
      delivered_at timestamptz,
      wanted boolean NOT NULL,
      PRIMARY KEY (organization_id, id)
    ) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02)`
  yield* sql`
    CREATE INDEX webhook_deliveries_of_subscription
    ON webhook_deliveries (organization_id, subscription_id, at, place, id)`
  yield* sql`
    CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (organization_id, subscription_id, place, id)
    WHERE state = 'pending'`
  yield* sql`
    CREATE INDEX webhook_deliveries_of_subject ON webhook_deliveries (organization_id, subscription_id, subject, place, id)
    WHERE state = 'pending'`
  yield* sql`
    CREATE INDEX webhook_deliveries_wanted ON webhook_deliveries (organization_id, subscription_id, at, id) WHERE wanted`
  yield* sql`
    CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (organization_id, subscription_id, at, place, id)
    WHERE state = 'failed'`
  yield* sql`
    CREATE INDEX webhook_deliveries_discarded ON webhook_deliveries (organization_id, subscription_id, at, place, id)
    WHERE state = 'discarded'`
  yield* sql`CREATE INDEX webhook_deliveries_by_age ON webhook_deliveries (organization_id, at)`
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
})
