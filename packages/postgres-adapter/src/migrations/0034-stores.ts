import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Stores, and what they know of customers, orders, carts and products. */
export const stores = Effect.gen(function* () {
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
      last_synced_at timestamptz,
      last_error json,
      connected_at timestamptz,
      uninstalled_at timestamptz,
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
  // Whoever delivers names the shop and no organization.
  yield* sql`CREATE INDEX store_connections_by_domain ON store_connections (provider, shop_domain)`
  yield* sql`
    CREATE TABLE store_former_domains (
      organization_id uuid NOT NULL REFERENCES organizations,
      provider text COLLATE "C" NOT NULL,
      shop_domain text COLLATE "C" NOT NULL,
      store_connection_id uuid NOT NULL,
      PRIMARY KEY (organization_id, provider, shop_domain),
      CONSTRAINT store_former_domains_connection FOREIGN KEY (organization_id, store_connection_id)
        REFERENCES store_connections ON DELETE CASCADE
    )`
  yield* sql`CREATE INDEX store_former_domains_by_domain ON store_former_domains (provider, shop_domain)`
  yield* sql`
    CREATE TABLE store_authorizations (
      organization_id uuid NOT NULL REFERENCES organizations,
      digest text COLLATE "C" NOT NULL,
      store_connection_id uuid NOT NULL,
      provider text COLLATE "C" NOT NULL,
      shop_domain text COLLATE "C" NOT NULL,
      actor json NOT NULL,
      permissions json NOT NULL,
      return_to text,
      expires_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, digest),
      CONSTRAINT store_authorizations_connection FOREIGN KEY (organization_id, store_connection_id)
        REFERENCES store_connections ON DELETE CASCADE
    )`
  yield* sql`CREATE INDEX store_authorizations_by_digest ON store_authorizations (digest)`
  yield* sql`CREATE INDEX store_authorizations_by_expiry ON store_authorizations (organization_id, expires_at)`

  yield* sql`
    CREATE TABLE store_customers (
      organization_id uuid NOT NULL REFERENCES organizations,
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

  // What a shop says of an order is kept as a whole. It refers to the customer and to products by the shop's ids, which are looked up when it is
  // read: so it does not matter which of them comes first.
  yield* sql`
    CREATE TABLE store_orders (
      organization_id uuid NOT NULL REFERENCES organizations,
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
    CREATE TABLE store_carts (
      organization_id uuid NOT NULL REFERENCES organizations,
      id uuid NOT NULL,
      store_connection_id uuid NOT NULL,
      external_id text COLLATE "C" NOT NULL,
      token text COLLATE "C",
      external_customer_id text COLLATE "C",
      contact_id uuid,
      state text COLLATE "C" NOT NULL,
      last_activity_at timestamptz NOT NULL,
      abandoned_at timestamptz,
      told_at timestamptz,
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
    CREATE TABLE store_products (
      organization_id uuid NOT NULL REFERENCES organizations,
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
})
