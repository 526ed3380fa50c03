import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What shops ask about personal data. */
export const privacyRequests = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // No key to the store: what was asked stays provable after the store is removed.
  yield* sql`
    CREATE TABLE privacy_requests (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      store_connection_id uuid NOT NULL,
      delivery_id uuid NOT NULL,
      kind text COLLATE "C" NOT NULL,
      contact_id uuid,
      state text COLLATE "C" NOT NULL,
      received_at timestamptz NOT NULL,
      due_at timestamptz NOT NULL,
      told_due_at timestamptz,
      done_at timestamptz,
      reason text,
      counts json NOT NULL,
      asked json,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      CONSTRAINT privacy_requests_delivery UNIQUE (organization_id, delivery_id, kind)
    )`
  yield* sql`
    CREATE INDEX privacy_requests_open ON privacy_requests (organization_id, state, updated_at)
    WHERE state IN ('open', 'ready')`
  // Whoever delivers names the shop by its id, too, and no organization.
  yield* sql`CREATE INDEX store_connections_by_shop ON store_connections (provider, shop_id)`
  yield* sql`
    CREATE INDEX store_orders_of_store ON store_orders (organization_id, store_connection_id)`
})
