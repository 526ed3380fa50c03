import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What contacts have bought, as filters of contacts ask for it, and what searches of commerce read. */
export const buyers = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // What was bought, of each product once: orders keep their lines in one column.
  yield* sql`
    CREATE TABLE store_order_lines (
      organization_id uuid NOT NULL REFERENCES organizations,
      order_id uuid NOT NULL,
      external_product_id text COLLATE "C" NOT NULL,
      store_connection_id uuid NOT NULL,
      contact_id uuid,
      placed_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, order_id, external_product_id),
      CONSTRAINT store_order_lines_order FOREIGN KEY (organization_id, order_id)
        REFERENCES store_orders ON DELETE CASCADE
    )`
  yield* sql`
    CREATE INDEX store_order_lines_by_product
      ON store_order_lines (organization_id, store_connection_id, external_product_id, contact_id, placed_at)
    WHERE contact_id IS NOT NULL`
  yield* sql`
    INSERT INTO store_order_lines (organization_id, order_id, external_product_id, store_connection_id, contact_id, placed_at)
    SELECT DISTINCT o.organization_id, o.id, line->>'externalProductId', o.store_connection_id, o.contact_id, o.placed_at
    FROM store_orders AS o CROSS JOIN LATERAL json_array_elements(o.record->'lines') AS line
    WHERE o.counts AND line->>'externalProductId' IS NOT NULL AND (line->>'currentQuantity')::integer > 0`

  // What the orders of a contact come to, in each store and currency: so it goes with the store.
  yield* sql`
    CREATE TABLE store_lifetimes (
      organization_id uuid NOT NULL REFERENCES organizations,
      contact_id uuid NOT NULL,
      store_connection_id uuid NOT NULL,
      currency text COLLATE "C" NOT NULL,
      order_count integer NOT NULL,
      spent_minor bigint NOT NULL,
      first_order_at timestamptz NOT NULL,
      last_order_at timestamptz NOT NULL,
      PRIMARY KEY (organization_id, contact_id, store_connection_id, currency),
      CONSTRAINT store_lifetimes_connection FOREIGN KEY (organization_id, store_connection_id)
        REFERENCES store_connections ON DELETE CASCADE
    ) WITH (fillfactor = 80)`
  yield* sql`
    CREATE INDEX store_lifetimes_by_contact ON store_lifetimes (organization_id, contact_id)
    INCLUDE (order_count, first_order_at, last_order_at)`
  yield* sql`
    CREATE INDEX store_lifetimes_by_spending ON store_lifetimes (organization_id, currency, contact_id)
    INCLUDE (spent_minor)`
  yield* sql`
    CREATE INDEX store_lifetimes_by_first_order ON store_lifetimes (organization_id, first_order_at, contact_id)`
  yield* sql`
    CREATE INDEX store_lifetimes_by_last_order ON store_lifetimes (organization_id, last_order_at, contact_id)`
  yield* sql`
    CREATE INDEX store_lifetimes_by_connection ON store_lifetimes (organization_id, store_connection_id, contact_id)`
  yield* sql`
    INSERT INTO store_lifetimes (organization_id, contact_id, store_connection_id, currency, order_count, spent_minor,
      first_order_at, last_order_at)
    SELECT organization_id, contact_id, store_connection_id, currency, count(*), sum(spent_minor), min(placed_at),
      max(placed_at)
    FROM store_orders WHERE contact_id IS NOT NULL AND counts
    GROUP BY organization_id, contact_id, store_connection_id, currency`

  yield* sql`
    CREATE INDEX store_carts_abandoned ON store_carts (organization_id, contact_id, abandoned_at)
    WHERE contact_id IS NOT NULL AND abandoned_at IS NOT NULL`
  yield* sql`
    CREATE INDEX store_carts_open_by_contact ON store_carts (organization_id, contact_id, store_connection_id)
    WHERE contact_id IS NOT NULL AND state IN ('active', 'abandoned')`
  yield* sql`
    CREATE INDEX store_customers_by_store ON store_customers (organization_id, store_connection_id, contact_id)
    WHERE contact_id IS NOT NULL AND closed_at IS NULL`
  for (const kind of ["customers", "orders", "carts", "products"]) {
    const [table, index] = [sql.literal(`store_${kind}`), sql.literal(`store_${kind}_search`)]
    yield* sql`CREATE INDEX ${index} ON ${table} USING gin (organization_id, search gin_trgm_ops)`
  }
})
