import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Orders of a store are found by its part of the index of what the shop knows them by. What was bought, and what orders come to, is theirs whose the orders are. */
export const storeImports = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // One index more made each new order dearer, and misled plans of tables that nobody had analyzed.
  yield* sql`DROP INDEX store_orders_of_store`

  // Orders of customers who were linked later had left both where they were.
  yield* sql`
    UPDATE store_order_lines AS l SET contact_id = o.contact_id FROM store_orders AS o
    WHERE o.organization_id = l.organization_id AND o.id = l.order_id AND l.contact_id IS DISTINCT FROM o.contact_id`
  yield* sql`DELETE FROM store_lifetimes`
  yield* sql`
    INSERT INTO store_lifetimes (organization_id, contact_id, store_connection_id, currency, order_count, spent_minor,
      first_order_at, last_order_at)
    SELECT organization_id, contact_id, store_connection_id, currency, count(*), sum(spent_minor), min(placed_at),
      max(placed_at)
    FROM store_orders WHERE contact_id IS NOT NULL AND counts
    GROUP BY organization_id, contact_id, store_connection_id, currency`
})
