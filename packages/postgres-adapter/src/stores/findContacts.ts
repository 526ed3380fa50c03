import type { OrganizationId } from "@parley/domain"
import type { SqlClient, Statement } from "effect/sql"
import type { FindContacts } from "../crm/FindContacts.ts"

type Holds = (
  sql: SqlClient.SqlClient,
  value: string,
  /** What the orders of a contact come to in a column. */
  of: (aggregate: "max" | "min" | "sum", column: string) => Statement.Fragment
) => Statement.Fragment

/** Whether all orders that have somebody's name on them are in one store and currency, as they mostly are. */
const isAllInOne = (sql: SqlClient.SqlClient, organizationId: OrganizationId) => {
  const end = (column: string, direction: string) => sql`(
    SELECT ${sql.literal(`e.${column}`)} FROM store_lifetimes AS e WHERE e.organization_id = ${organizationId}
    ORDER BY ${sql.literal(`e.${column} ${direction}`)} LIMIT 1)`
  return sql`(${end("store_connection_id", "ASC")} = ${end("store_connection_id", "DESC")}
    AND ${end("currency", "ASC")} = ${end("currency", "DESC")})`
}

/**
 * Those of whose orders, in all stores and currencies together, this holds. Where there is one of each there is nothing to put together: which of the
 * two ways is taken is found out before any row is read.
 */
const summedUp = (
  sql: SqlClient.SqlClient,
  organizationId: OrganizationId,
  holds: Holds,
  value: string,
  where: Statement.Fragment = sql`TRUE`
) => {
  const rows = sql`SELECT l.contact_id AS id FROM store_lifetimes AS l
    WHERE l.organization_id = ${organizationId} AND ${where}`
  const single = isAllInOne(sql, organizationId)
  return sql`
    ${rows} AND ${single} AND ${holds(sql, value, (_, column) => sql.literal(`l.${column}`))}
    UNION ALL
    ${rows} AND ${single} IS NOT TRUE
    GROUP BY l.contact_id HAVING ${holds(sql, value, (aggregate, column) => sql.literal(`${aggregate}(l.${column})`))}`
}

const ofOrders =
  (holds: Holds): FindContacts =>
  (sql, organizationId, [value = ""]) =>
    summedUp(sql, organizationId, holds, value)

/** Those of whose orders in one store and currency at least this holds. */
const ofAnyOrders =
  (holds: (sql: SqlClient.SqlClient, value: string) => Statement.Fragment): FindContacts =>
  (sql, organizationId, [value = ""]) =>
    sql`
    SELECT l.contact_id AS id FROM store_lifetimes AS l
    WHERE l.organization_id = ${organizationId} AND ${holds(sql, value)}`

const everOrdered = ofAnyOrders((sql) => sql`TRUE`)

/** Those who have spent so much in a currency, in all stores together. */
const ofSpending =
  (holds: Holds): FindContacts =>
  (sql, organizationId, [currency = "", amount = ""]) =>
    summedUp(sql, organizationId, holds, amount, sql`l.currency = ${currency}`)

const ofCarts =
  (holds: (sql: SqlClient.SqlClient, value: string) => Statement.Fragment): FindContacts =>
  (sql, organizationId, [value = ""]) =>
    sql`
    SELECT k.contact_id AS id FROM store_carts AS k
    WHERE k.organization_id = ${organizationId} AND k.contact_id IS NOT NULL AND k.abandoned_at IS NOT NULL
      AND ${holds(sql, value)}`

/** Whom the conditions hold of that filters ask of this area. */
export const findContacts = {
  ordered_at_least: (sql, organizationId, [count = ""]) =>
    count === "1"
      ? everOrdered(sql, organizationId, [])
      : ofOrders((sql, count, of) => sql`${of("sum", "order_count")} >= ${count}::bigint`)(sql, organizationId, [
          count
        ]),
  spent_at_least: ofSpending((sql, amount, of) => sql`${of("sum", "spent_minor")} >= ${amount}::bigint`),
  spent_below: ofSpending((sql, amount, of) => sql`${of("sum", "spent_minor")} < ${amount}::bigint`),
  first_order_ever: everOrdered,
  first_order_before: ofAnyOrders((sql, at) => sql`l.first_order_at < ${at}::timestamptz`),
  first_order_since: ofOrders((sql, at, of) => sql`${of("min", "first_order_at")} >= ${at}::timestamptz`),
  last_order_ever: everOrdered,
  last_order_before: ofOrders((sql, at, of) => sql`${of("max", "last_order_at")} < ${at}::timestamptz`),
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
    SELECT l.contact_id FROM store_lifetimes AS l WHERE l.organization_id = ${organizationId}
      AND l.store_connection_id = ANY(${ids}::uuid[])
    UNION ALL
    SELECT k.contact_id FROM store_carts AS k WHERE k.organization_id = ${organizationId}
      AND k.store_connection_id = ANY(${ids}::uuid[]) AND k.contact_id IS NOT NULL AND k.state IN ('active', 'abandoned')`
} as const satisfies Readonly<Record<string, FindContacts>>
