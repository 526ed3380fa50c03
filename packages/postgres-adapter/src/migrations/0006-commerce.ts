import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Connected stores and their authorization. */
const connections = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE store_connections (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      provider text COLLATE "C" NOT NULL,
      shop_domain text COLLATE "C" NOT NULL,
      shop_id text COLLATE "C",
      name text NOT NULL,
      currency text COLLATE "C",
      country text COLLATE "C",
      status text COLLATE "C" NOT NULL,
      scopes json NOT NULL,
      make_contacts text COLLATE "C" NOT NULL,
      take_consent boolean NOT NULL,
      cart_abandoned_after_minutes integer NOT NULL,
      orders_since timestamptz,
      sync json NOT NULL,
      as_of timestamptz,
      full_as_of timestamptz,
      retry json,
      last_synced_at timestamptz,
      last_error json,
      connected_at timestamptz,
      uninstalled_at timestamptz,
      removal_started_at timestamptz,
      sealed_access_token text,
      access_expires_at timestamptz,
      sealed_refresh_token text,
      refresh_expires_at timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      version integer NOT NULL,
      PRIMARY KEY (organization_id, id),
      CONSTRAINT store_connections_domain UNIQUE (organization_id, provider, shop_domain)
    )`
  yield* sql`
    CREATE UNIQUE INDEX store_connections_shop ON store_connections (organization_id, provider, shop_id)
    WHERE shop_id IS NOT NULL`
  // A webhook delivery names the shop and no organization.
  yield* sql`CREATE INDEX store_connections_by_domain ON store_connections (provider, shop_domain)`
  yield* sql`CREATE INDEX store_connections_by_shop ON store_connections (provider, shop_id)`

  yield* sql`
    CREATE TABLE store_previous_domains (
      organization_id uuid NOT NULL,
      provider text COLLATE "C" NOT NULL,
      shop_domain text COLLATE "C" NOT NULL,
      store_connection_id uuid NOT NULL,
      PRIMARY KEY (organization_id, provider, shop_domain),
      CONSTRAINT store_previous_domains_connection FOREIGN KEY (organization_id, store_connection_id)
        REFERENCES store_connections ON DELETE CASCADE
    )`
  yield* sql`CREATE INDEX store_previous_domains_by_domain ON store_previous_domains (provider, shop_domain)`

  yield* sql`
    CREATE TABLE store_authorizations (
      organization_id uuid NOT NULL,
      digest text COLLATE "C" NOT NULL,
      store_connection_id uuid NOT NULL,
      provider text COLLATE "C" NOT NULL,
      shop_domain text COLLATE "C" NOT NULL,
      actor json NOT NULL,
      code_challenge text COLLATE "C" NOT NULL,
      return_to text,
      expires_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, digest),
      CONSTRAINT store_authorizations_connection FOREIGN KEY (organization_id, store_connection_id)
        REFERENCES store_connections ON DELETE CASCADE
    )`
  yield* sql`CREATE INDEX store_authorizations_by_digest ON store_authorizations (digest)`
  yield* sql`CREATE INDEX store_authorizations_by_expiry ON store_authorizations (organization_id, expires_at)`

  // Has no foreign key to the connection: a completing call locks its row and then waits for the lock of stores, and a removal uses the opposite
  // order.
  yield* sql`
    CREATE TABLE store_parked_codes (
      organization_id uuid NOT NULL REFERENCES organizations,
      digest text COLLATE "C" NOT NULL,
      store_connection_id uuid NOT NULL,
      provider text COLLATE "C" NOT NULL,
      shop_domain text COLLATE "C" NOT NULL,
      actor_kind text COLLATE "C" NOT NULL,
      actor_id text COLLATE "C" NOT NULL,
      code_challenge text COLLATE "C" NOT NULL,
      sealed_code text COLLATE "C" NOT NULL,
      expires_at timestamptz NOT NULL,
      reserved_until timestamptz,
      PRIMARY KEY (organization_id, digest)
    )`
  yield* sql`
    CREATE INDEX store_parked_codes_reserved ON store_parked_codes (provider, shop_domain)
    WHERE reserved_until IS NOT NULL`
  yield* sql`CREATE INDEX store_parked_codes_by_expiry ON store_parked_codes (organization_id, expires_at)`
})

/** Customers, orders, carts and products of stores. */
const records = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE store_customers (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      store_connection_id uuid NOT NULL,
      external_id text COLLATE "C" NOT NULL,
      name text,
      phone text COLLATE "C",
      email text COLLATE "C",
      locale text COLLATE "C",
      tags json NOT NULL,
      sms_consent text COLLATE "C" NOT NULL,
      sms_consent_at timestamptz,
      chat_consent text COLLATE "C" NOT NULL,
      chat_consent_at timestamptz,
      email_consent text COLLATE "C" NOT NULL,
      contact_id uuid,
      linked_by text COLLATE "C",
      conflict_contact_id uuid,
      search text COLLATE "C" NOT NULL,
      changed_at timestamptz NOT NULL,
      closed_at timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      CONSTRAINT store_customers_external UNIQUE (organization_id, store_connection_id, external_id),
      CONSTRAINT store_customers_connection FOREIGN KEY (organization_id, store_connection_id)
        REFERENCES store_connections ON DELETE CASCADE
    )`
  yield* sql`
    CREATE INDEX store_customers_by_contact ON store_customers (organization_id, contact_id, id)
    WHERE contact_id IS NOT NULL`
  yield* sql`
    CREATE INDEX store_customers_by_conflict ON store_customers (organization_id, conflict_contact_id)
    WHERE conflict_contact_id IS NOT NULL`
  yield* sql`
    CREATE INDEX store_customers_by_store ON store_customers (organization_id, store_connection_id, contact_id)
    WHERE contact_id IS NOT NULL AND closed_at IS NULL`
  yield* sql`CREATE INDEX store_customers_search ON store_customers USING gin (organization_id, search gin_trgm_ops)`

  // `record` refers to customers and products by the ids of the shop, which are resolved on reading. Therefore records can arrive in any order.
  yield* sql`
    CREATE TABLE store_orders (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      store_connection_id uuid NOT NULL,
      external_id text COLLATE "C" NOT NULL,
      external_customer_id text COLLATE "C",
      contact_id uuid,
      checkout_token text COLLATE "C",
      placed_at timestamptz NOT NULL,
      payment_status text COLLATE "C" NOT NULL,
      fulfilment_status text COLLATE "C" NOT NULL,
      counts boolean NOT NULL,
      currency text COLLATE "C" NOT NULL,
      spent_minor bigint NOT NULL,
      gross json NOT NULL DEFAULT '[]',
      record json NOT NULL,
      refund_ids json NOT NULL,
      search text COLLATE "C" NOT NULL,
      deleted_at timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      CONSTRAINT store_orders_external UNIQUE (organization_id, store_connection_id, external_id),
      CONSTRAINT store_orders_connection FOREIGN KEY (organization_id, store_connection_id)
        REFERENCES store_connections ON DELETE CASCADE
    )`
  yield* sql`
    CREATE INDEX store_orders_by_contact ON store_orders (organization_id, contact_id, placed_at, id)
    WHERE contact_id IS NOT NULL`
  yield* sql`
    CREATE INDEX store_orders_by_customer ON store_orders (organization_id, store_connection_id, external_customer_id)
    WHERE external_customer_id IS NOT NULL`
  yield* sql`
    CREATE INDEX store_orders_by_checkout ON store_orders (organization_id, store_connection_id, checkout_token)
    WHERE checkout_token IS NOT NULL`
  yield* sql`
    CREATE INDEX store_orders_by_time ON store_orders (organization_id, placed_at, id)`
  yield* sql`CREATE INDEX store_orders_search ON store_orders USING gin (organization_id, search gin_trgm_ops)`

  // One row per order and bought product, for filters of contacts.
  yield* sql`
    CREATE TABLE store_order_lines (
      organization_id uuid NOT NULL,
      order_id uuid NOT NULL,
      external_product_id text COLLATE "C" NOT NULL,
      store_connection_id uuid NOT NULL,
      contact_id uuid,
      placed_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, order_id, external_product_id),
      CONSTRAINT store_order_lines_order FOREIGN KEY (organization_id, order_id) REFERENCES store_orders
        ON DELETE CASCADE
    )`
  yield* sql`
    CREATE INDEX store_order_lines_by_product ON store_order_lines
    (organization_id, store_connection_id, external_product_id, contact_id, placed_at) WHERE contact_id IS NOT NULL`

  yield* sql`
    CREATE TABLE store_carts (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      store_connection_id uuid NOT NULL,
      external_id text COLLATE "C" NOT NULL,
      token text COLLATE "C",
      external_customer_id text COLLATE "C",
      contact_id uuid,
      state text COLLATE "C" NOT NULL,
      last_activity_at timestamptz NOT NULL,
      abandoned_at timestamptz,
      abandonment_published_at timestamptz,
      order_id uuid,
      closed_at timestamptz,
      record json NOT NULL,
      search text COLLATE "C" NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      CONSTRAINT store_carts_external UNIQUE (organization_id, store_connection_id, external_id),
      CONSTRAINT store_carts_connection FOREIGN KEY (organization_id, store_connection_id)
        REFERENCES store_connections ON DELETE CASCADE
    )`
  yield* sql`
    CREATE INDEX store_carts_by_contact ON store_carts (organization_id, contact_id, last_activity_at, id)
    WHERE contact_id IS NOT NULL`
  yield* sql`
    CREATE INDEX store_carts_by_customer ON store_carts (organization_id, store_connection_id, external_customer_id)
    WHERE external_customer_id IS NOT NULL`
  yield* sql`
    CREATE INDEX store_carts_by_token ON store_carts (organization_id, store_connection_id, token)
    WHERE token IS NOT NULL`
  yield* sql`
    CREATE INDEX store_carts_open ON store_carts (organization_id, store_connection_id, state, last_activity_at, id)
    WHERE state IN ('active', 'abandoned')`
  yield* sql`
    CREATE INDEX store_carts_by_closing ON store_carts (organization_id, closed_at) WHERE closed_at IS NOT NULL`
  yield* sql`
    CREATE INDEX store_carts_abandoned ON store_carts (organization_id, contact_id, abandoned_at)
    WHERE contact_id IS NOT NULL AND abandoned_at IS NOT NULL`
  yield* sql`
    CREATE INDEX store_carts_open_by_contact ON store_carts (organization_id, contact_id, store_connection_id)
    WHERE contact_id IS NOT NULL AND state IN ('active', 'abandoned')`
  yield* sql`CREATE INDEX store_carts_search ON store_carts USING gin (organization_id, search gin_trgm_ops)`

  yield* sql`
    CREATE TABLE store_products (
      organization_id uuid NOT NULL,
      id uuid NOT NULL,
      store_connection_id uuid NOT NULL,
      external_id text COLLATE "C" NOT NULL,
      title text NOT NULL,
      status text COLLATE "C" NOT NULL,
      url text,
      image_url text,
      variants json NOT NULL,
      search text COLLATE "C" NOT NULL,
      changed_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      CONSTRAINT store_products_external UNIQUE (organization_id, store_connection_id, external_id),
      CONSTRAINT store_products_connection FOREIGN KEY (organization_id, store_connection_id)
        REFERENCES store_connections ON DELETE CASCADE
    )`
  yield* sql`CREATE INDEX store_products_search ON store_products USING gin (organization_id, search gin_trgm_ops)`

  // Totals of a contact's orders per store and currency, so a removed store takes its totals with it.
  yield* sql`
    CREATE TABLE store_lifetime_totals (
      organization_id uuid NOT NULL,
      contact_id uuid NOT NULL,
      store_connection_id uuid NOT NULL,
      currency text COLLATE "C" NOT NULL,
      order_count integer NOT NULL,
      spent_minor bigint NOT NULL,
      first_order_at timestamptz NOT NULL,
      last_order_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, contact_id, store_connection_id, currency),
      CONSTRAINT store_lifetime_totals_connection FOREIGN KEY (organization_id, store_connection_id)
        REFERENCES store_connections ON DELETE CASCADE
    ) WITH (fillfactor = 80)`
  yield* sql`
    CREATE INDEX store_lifetime_totals_by_contact ON store_lifetime_totals (organization_id, contact_id)
    INCLUDE (order_count, first_order_at, last_order_at)`
  yield* sql`
    CREATE INDEX store_lifetime_totals_by_spending ON store_lifetime_totals (organization_id, currency, contact_id)
    INCLUDE (spent_minor)`
  yield* sql`
    CREATE INDEX store_lifetime_totals_by_first_order ON store_lifetime_totals
    (organization_id, first_order_at, contact_id)`
  yield* sql`
    CREATE INDEX store_lifetime_totals_by_last_order ON store_lifetime_totals
    (organization_id, last_order_at, contact_id)`
  yield* sql`
    CREATE INDEX store_lifetime_totals_by_connection ON store_lifetime_totals
    (organization_id, store_connection_id, contact_id)`
})

/** Records to read again, and records that a sync has seen or skipped. */
const syncing = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TABLE store_stale_records (
      organization_id uuid NOT NULL,
      store_connection_id uuid NOT NULL,
      kind text COLLATE "C" NOT NULL,
      external_id text COLLATE "C" NOT NULL,
      id uuid NOT NULL,
      reported_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, store_connection_id, kind, external_id),
      CONSTRAINT store_stale_records_connection FOREIGN KEY (organization_id, store_connection_id)
        REFERENCES store_connections ON DELETE CASCADE
    ) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`
  yield* sql`
    CREATE INDEX store_stale_records_by_age ON store_stale_records
    (organization_id, store_connection_id, kind, reported_at, external_id)`

  yield* sql`
    CREATE TABLE store_sync_seen (
      organization_id uuid NOT NULL,
      store_connection_id uuid NOT NULL,
      kind text COLLATE "C" NOT NULL,
      external_id text COLLATE "C" NOT NULL,
      job_id uuid NOT NULL,
      PRIMARY KEY (organization_id, store_connection_id, kind, external_id),
      CONSTRAINT store_sync_seen_connection FOREIGN KEY (organization_id, store_connection_id)
        REFERENCES store_connections ON DELETE CASCADE
    ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000)`

  yield* sql`
    CREATE TABLE store_skipped_records (
      organization_id uuid NOT NULL,
      store_connection_id uuid NOT NULL,
      kind text COLLATE "C" NOT NULL,
      external_id text COLLATE "C" NOT NULL,
      reason text NOT NULL,
      reader_version text COLLATE "C" NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, store_connection_id, kind, external_id),
      CONSTRAINT store_skipped_records_connection FOREIGN KEY (organization_id, store_connection_id)
        REFERENCES store_connections ON DELETE CASCADE
    )`
})

/** Privacy requests of shops. */
const privacy = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Has no foreign key to the store: a request stays provable after the store is removed.
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
      due_notified_at timestamptz,
      done_at timestamptz,
      reason text,
      counts json NOT NULL,
      subject json,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, id),
      CONSTRAINT privacy_requests_delivery UNIQUE (organization_id, delivery_id, kind)
    )`
  yield* sql`
    CREATE INDEX privacy_requests_open ON privacy_requests (organization_id, state, updated_at)
    WHERE state IN ('open', 'ready')`
})

/** Tables of stores. */
export const commerce = Effect.all([connections, records, syncing, privacy], { discard: true })
