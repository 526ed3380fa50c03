import type { ContactId } from "@parley/domain/crm"
import {
  boughtProductIds,
  isCountedOrder,
  type StoredOrder,
  spentAmount,
  type StoreConnectionId
} from "@parley/domain/commerce"
import { PgTypes } from "@effect/sql-pg"
import { DateTime, Effect } from "effect"
import type { SqlClient } from "effect/sql"

/** Key of a sum of orders. */
interface Sum {
  readonly contactId: ContactId
  readonly storeConnectionId: StoreConnectionId
  readonly currency: string
}

interface Added extends Sum {
  readonly orderCount: number
  readonly spentMinor: number
  readonly firstOrderAt: DateTime.Utc
  readonly lastOrderAt: DateTime.Utc
}

export const linesOf = (orders: ReadonlyArray<StoredOrder>) =>
  orders.flatMap((order) =>
    boughtProductIds(order).map((externalProductId) => ({
      orderId: order.id,
      externalProductId,
      storeConnectionId: order.storeConnectionId,
      contactId: order.contactId,
      placedAt: DateTime.formatIso(order.record.placedAt)
    }))
  )

/** The sums that contain these orders. */
export const sumsOf = (orders: ReadonlyArray<StoredOrder>): ReadonlyArray<Sum> =>
  orders.flatMap((order) => {
    const { contactId, record, storeConnectionId } = order
    return contactId !== null && isCountedOrder(order)
      ? [{ contactId, storeConnectionId, currency: record.total.currency }]
      : []
  })

/** Amounts that new orders add to their sums. */
const addedBy = (orders: ReadonlyArray<StoredOrder>) => {
  const sums = new Map<string, Added>()
  for (const order of orders) {
    const { contactId, record, storeConnectionId } = order
    if (contactId === null || !isCountedOrder(order)) continue
    const { currency } = record.total
    const key = `${contactId} ${storeConnectionId} ${currency}`
    const { placedAt } = record
    const sum = sums.get(key)
    sums.set(key, {
      contactId,
      storeConnectionId,
      currency,
      orderCount: (sum?.orderCount ?? 0) + 1,
      spentMinor: (sum?.spentMinor ?? 0) + spentAmount(record).amountMinor,
      firstOrderAt: DateTime.min(placedAt, sum?.firstOrderAt ?? placedAt),
      lastOrderAt: DateTime.max(placedAt, sum?.lastOrderAt ?? placedAt)
    })
  }
  return Array.from(sums.values(), (sum) => ({
    ...sum,
    firstOrderAt: DateTime.formatIso(sum.firstOrderAt),
    lastOrderAt: DateTime.formatIso(sum.lastOrderAt)
  }))
}

/** Lifetime totals of contacts, updated with each order change. */
export const orderTotals = (sql: SqlClient.SqlClient) => ({
  /** Whether all of these orders are new. */
  areNew: Effect.fnUntraced(function* (organizationId: string, orderIds: ReadonlyArray<string>) {
    const known = yield* sql`
      SELECT 1 FROM unnest(${Array.from(orderIds)}::uuid[]) AS o (id) CROSS JOIN LATERAL (
        SELECT FROM store_orders WHERE organization_id = ${organizationId} AND id = o.id OFFSET 0
      ) AS k LIMIT 1`
    return known.length === 0
  }),
  /**
   * Adds new orders to their sums. A concurrent recount locks the sum until its commit and does not see these orders, so their order does not matter.
   * Sums are locked in one order.
   */
  add: Effect.fnUntraced(function* (organizationId: string, orders: ReadonlyArray<StoredOrder>) {
    const added = addedBy(orders)
    if (added.length === 0) return
    yield* sql`
      INSERT INTO store_lifetime_totals AS l (organization_id, contact_id, store_connection_id, currency, order_count,
        spent_minor, first_order_at, last_order_at)
      SELECT ${organizationId}::uuid, * FROM json_to_recordset(${PgTypes.json(added)}) AS r ("contactId" uuid,
        "storeConnectionId" uuid, currency text, "orderCount" integer, "spentMinor" bigint, "firstOrderAt" timestamptz,
        "lastOrderAt" timestamptz)
      ORDER BY "contactId", "storeConnectionId", currency COLLATE "C"
      ON CONFLICT (organization_id, contact_id, store_connection_id, currency) DO UPDATE SET
        order_count = l.order_count + excluded.order_count, spent_minor = l.spent_minor + excluded.spent_minor,
        first_order_at = least(l.first_order_at, excluded.first_order_at),
        last_order_at = greatest(l.last_order_at, excluded.last_order_at)`
  }),
  /** Locks the sums of these orders and the `coming` sums against concurrent recounts. Sums are locked in one order to prevent deadlocks. */
  take: (organizationId: string, orderIds: ReadonlyArray<string>, coming: ReadonlyArray<Sum>) =>
    sql<Sum>`
      INSERT INTO store_lifetime_totals AS l (organization_id, contact_id, store_connection_id, currency, order_count,
        spent_minor, first_order_at, last_order_at)
      SELECT ${organizationId}::uuid, contact_id, store_connection_id, currency, 0, 0, 'infinity', '-infinity' FROM (
        SELECT "contactId" AS contact_id, "storeConnectionId" AS store_connection_id, currency
        FROM json_to_recordset(${PgTypes.json(coming)}) AS r ("contactId" uuid, "storeConnectionId" uuid, currency text)
        UNION
        SELECT o.contact_id, o.store_connection_id, o.currency
        FROM unnest(${Array.from(orderIds)}::uuid[]) AS known (id) CROSS JOIN LATERAL (
          SELECT contact_id, store_connection_id, currency FROM store_orders
          WHERE organization_id = ${organizationId} AND id = known.id AND contact_id IS NOT NULL AND counts OFFSET 0
        ) AS o
      ) AS s ORDER BY contact_id, store_connection_id, currency COLLATE "C"
      ON CONFLICT (organization_id, contact_id, store_connection_id, currency)
        DO UPDATE SET order_count = l.order_count
      RETURNING contact_id AS "contactId", store_connection_id AS "storeConnectionId", currency`,
  /** Recounts sums. Deletes empty sums. */
  settle: (organizationId: string, sums: ReadonlyArray<Sum>) =>
    sums.length === 0
      ? Effect.void
      : sql`
          WITH taken AS MATERIALIZED (
            SELECT "contactId" AS contact_id, "storeConnectionId" AS store_connection_id, currency
            FROM json_to_recordset(${PgTypes.json(sums)})
              AS r ("contactId" uuid, "storeConnectionId" uuid, currency text)
          ), summed AS MATERIALIZED (
            SELECT t.contact_id, o.store_connection_id, o.currency, count(*) AS orders, sum(o.spent_minor) AS spent,
              min(o.placed_at) AS first_at, max(o.placed_at) AS last_at
            FROM (SELECT DISTINCT contact_id FROM taken) AS t CROSS JOIN LATERAL (
              SELECT store_connection_id, currency, spent_minor, placed_at FROM store_orders
              WHERE organization_id = ${organizationId} AND contact_id = t.contact_id AND counts OFFSET 0
            ) AS o
            GROUP BY t.contact_id, o.store_connection_id, o.currency
          ), kept AS (
            UPDATE store_lifetime_totals AS l SET order_count = s.orders, spent_minor = s.spent, first_order_at = s.first_at,
              last_order_at = s.last_at
            FROM taken AS t JOIN summed AS s USING (contact_id, store_connection_id, currency)
            WHERE l.organization_id = ${organizationId} AND l.contact_id = t.contact_id
              AND l.store_connection_id = t.store_connection_id AND l.currency = t.currency
          )
          DELETE FROM store_lifetime_totals AS l USING taken AS t
          WHERE l.organization_id = ${organizationId} AND l.contact_id = t.contact_id
            AND l.store_connection_id = t.store_connection_id AND l.currency = t.currency
            AND NOT EXISTS (SELECT FROM summed AS s WHERE s.contact_id = t.contact_id
              AND s.store_connection_id = t.store_connection_id AND s.currency = t.currency)`
})
