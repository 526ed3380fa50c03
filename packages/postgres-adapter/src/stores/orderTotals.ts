import { boughtIn, type ContactId, isCounted, type KeptOrder, type StoreConnectionId } from "@parley/domain"
import { PgTypes } from "@effect/sql-pg"
import { DateTime, Effect } from "effect"
import type { SqlClient } from "effect/sql"

/** What the orders of a contact are summed up by. */
interface Sum {
  readonly contactId: ContactId
  readonly storeConnectionId: StoreConnectionId
  readonly currency: string
}

/** What was bought with these orders. */
export const linesOf = (orders: ReadonlyArray<KeptOrder>) =>
  orders.flatMap((order) =>
    boughtIn(order).map((externalProductId) => ({
      orderId: order.id,
      externalProductId,
      storeConnectionId: order.storeConnectionId,
      contactId: order.contactId,
      placedAt: DateTime.formatIso(order.record.placedAt)
    }))
  )

/** What the orders of contacts come to, kept with each change of them. */
export const orderTotals = (sql: SqlClient.SqlClient) => ({
  /**
   * Takes the sums that these orders are in, or will be, so that nobody else sums up meanwhile: in one order, so that two who do so
   * do not wait for each other.
   */
  take: (organizationId: string, orders: ReadonlyArray<KeptOrder>) => {
    const coming = orders.flatMap((order) =>
      order.contactId !== null && isCounted(order)
        ? [
            {
              contactId: order.contactId,
              storeConnectionId: order.storeConnectionId,
              currency: order.record.total.currency
            }
          ]
        : []
    )
    return sql<Sum>`
      INSERT INTO store_lifetimes AS l (organization_id, contact_id, store_connection_id, currency, order_count,
        spent_minor, first_order_at, last_order_at)
      SELECT ${organizationId}::uuid, contact_id, store_connection_id, currency, 0, 0, 'infinity', '-infinity' FROM (
        SELECT "contactId" AS contact_id, "storeConnectionId" AS store_connection_id, currency
        FROM json_to_recordset(${PgTypes.json(coming)}) AS r ("contactId" uuid, "storeConnectionId" uuid, currency text)
        UNION
        SELECT contact_id, store_connection_id, currency FROM store_orders
        WHERE organization_id = ${organizationId} AND id = ANY(${orders.map(({ id }) => id)}::uuid[])
          AND contact_id IS NOT NULL AND counts
      ) AS s ORDER BY contact_id, store_connection_id, currency COLLATE "C"
      ON CONFLICT (organization_id, contact_id, store_connection_id, currency)
        DO UPDATE SET order_count = l.order_count
      RETURNING contact_id AS "contactId", store_connection_id AS "storeConnectionId", currency`
  },
  /** Sums up once more. What comes to nothing is no sum. */
  settle: (organizationId: string, sums: ReadonlyArray<Sum>) =>
    sums.length === 0
      ? Effect.void
      : sql`
          WITH taken AS MATERIALIZED (
            SELECT "contactId" AS contact_id, "storeConnectionId" AS store_connection_id, currency
            FROM json_to_recordset(${PgTypes.json(sums)})
              AS r ("contactId" uuid, "storeConnectionId" uuid, currency text)
          ), summed AS MATERIALIZED (
            SELECT o.contact_id, o.store_connection_id, o.currency, count(*) AS orders, sum(o.spent_minor) AS spent,
              min(o.placed_at) AS first_at, max(o.placed_at) AS last_at
            FROM (SELECT DISTINCT contact_id FROM taken) AS t
            JOIN store_orders AS o ON o.organization_id = ${organizationId} AND o.contact_id = t.contact_id AND o.counts
            GROUP BY o.contact_id, o.store_connection_id, o.currency
          ), kept AS (
            UPDATE store_lifetimes AS l SET order_count = s.orders, spent_minor = s.spent, first_order_at = s.first_at,
              last_order_at = s.last_at
            FROM taken AS t JOIN summed AS s USING (contact_id, store_connection_id, currency)
            WHERE l.organization_id = ${organizationId} AND l.contact_id = t.contact_id
              AND l.store_connection_id = t.store_connection_id AND l.currency = t.currency
          )
          DELETE FROM store_lifetimes AS l USING taken AS t
          WHERE l.organization_id = ${organizationId} AND l.contact_id = t.contact_id
            AND l.store_connection_id = t.store_connection_id AND l.currency = t.currency
            AND NOT EXISTS (SELECT FROM summed AS s WHERE s.contact_id = t.contact_id
              AND s.store_connection_id = t.store_connection_id AND s.currency = t.currency)`
})
