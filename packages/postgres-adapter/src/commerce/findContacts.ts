import type { SqlClient, Statement } from "effect/sql"
import type { FindContacts } from "../crm/FindContacts.ts"

type Holds = (sql: SqlClient.SqlClient, value: string) => Statement.Fragment

/**
 * Contacts whose orders, over all stores and currencies, match. A separate path for contacts with orders in one store and currency would join fewer
 * rows. The planner could not estimate its result.
 */
const ofOrders =
  (holds: Holds): FindContacts =>
  (sql, organizationId, [value = ""]) =>
    sql`
    SELECT l.contact_id AS id FROM store_lifetime_totals AS l WHERE l.organization_id = ${organizationId}
    GROUP BY l.contact_id HAVING ${holds(sql, value)}`

/** Contacts whose orders in at least one store and currency match. */
const ofAnyOrders =
  (holds: Holds): FindContacts =>
  (sql, organizationId, [value = ""]) =>
    sql`
    SELECT l.contact_id AS id FROM store_lifetime_totals AS l
    WHERE l.organization_id = ${organizationId} AND ${holds(sql, value)}`

const everOrdered = ofAnyOrders((sql) => sql`TRUE`)

/** Contacts with this spending in a currency, over all stores. */
const ofSpending =
  (holds: Holds): FindContacts =>
  (sql, organizationId, [currency = "", amount = ""]) =>
    sql`
    SELECT l.contact_id AS id FROM store_lifetime_totals AS l
    WHERE l.organization_id = ${organizationId} AND l.currency = ${currency}
    GROUP BY l.contact_id HAVING ${holds(sql, amount)}`

const ofCarts =
  (holds: Holds): FindContacts =>
  (sql, organizationId, [value = ""]) =>
    sql`
    SELECT k.contact_id AS id FROM store_carts AS k
    WHERE k.organization_id = ${organizationId} AND k.contact_id IS NOT NULL AND k.abandoned_at IS NOT NULL
      AND ${holds(sql, value)}`

/** Contacts that match this area's filter conditions. */
export const findContacts = {
  ordered_at_least: (sql, organizationId, [count = ""]) =>
    count === "1"
      ? everOrdered(sql, organizationId, [])
      : ofOrders((sql, count) => sql`sum(l.order_count) >= ${count}::bigint`)(sql, organizationId, [count]),
  spent_at_least: ofSpending((sql, amount) => sql`sum(l.spent_minor) >= ${amount}::bigint`),
  spent_below: ofSpending((sql, amount) => sql`sum(l.spent_minor) < ${amount}::bigint`),
  first_order_ever: everOrdered,
  first_order_before: ofAnyOrders((sql, at) => sql`l.first_order_at < ${at}::timestamptz`),
  first_order_since: ofOrders((sql, at) => sql`min(l.first_order_at) >= ${at}::timestamptz`),
  last_order_ever: everOrdered,
  last_order_before: ofOrders((sql, at) => sql`max(l.last_order_at) < ${at}::timestamptz`),
  last_order_since: ofAnyOrders((sql, at) => sql`l.last_order_at >= ${at}::timestamptz`),
  cart_abandoned_ever: ofCarts((sql) => sql`TRUE`),
  cart_abandoned_before: ofCarts(
    (sql, at) => sql`TRUE GROUP BY k.contact_id HAVING max(k.abandoned_at) < ${at}::timestamptz`
  ),
  cart_abandoned_since: ofCarts((sql, at) => sql`k.abandoned_at >= ${at}::timestamptz`),
  bought: (sql, organizationId, [at = "", ...productIds]) => sql`
    SELECT l.contact_id AS id FROM store_products AS p
    JOIN store_order_lines AS l ON l.organization_id = ${organizationId}
      AND l.store_connection_id = p.store_connection_id AND l.external_product_id = p.external_id
    WHERE p.organization_id = ${organizationId} AND p.id = ANY(${productIds}::uuid[])
      AND l.contact_id IS NOT NULL AND l.placed_at >= ${at}::timestamptz`,
  has_open_cart: (sql, organizationId) => sql`
    SELECT k.contact_id AS id FROM store_carts AS k WHERE k.organization_id = ${organizationId}
      AND k.contact_id IS NOT NULL AND k.state IN ('active', 'abandoned')`,
  known_to_store: (sql, organizationId, ids) => sql`
    SELECT u.contact_id AS id FROM store_customers AS u WHERE u.organization_id = ${organizationId}
      AND u.store_connection_id = ANY(${ids}::uuid[]) AND u.contact_id IS NOT NULL AND u.closed_at IS NULL
    UNION ALL
    SELECT l.contact_id FROM store_lifetime_totals AS l WHERE l.organization_id = ${organizationId}
      AND l.store_connection_id = ANY(${ids}::uuid[])
    UNION ALL
    SELECT k.contact_id FROM store_carts AS k WHERE k.organization_id = ${organizationId}
      AND k.store_connection_id = ANY(${ids}::uuid[]) AND k.contact_id IS NOT NULL AND k.state IN ('active', 'abandoned')`
} as const satisfies Readonly<Record<string, FindContacts>>
