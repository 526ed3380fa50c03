import { NotFound } from "@parley/domain/kernel"
import type { ContactId } from "@parley/domain/crm"
import {
  commerceLimits,
  ContactCommerceRecords,
  type StoredContactCommerce,
  type KnownRef,
  LifetimeTotals,
  StoreTimelineEntry,
  type ProductId,
  type StoreCustomerId
} from "@parley/domain/commerce"
import { Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { asWritten } from "../kernel/columns.ts"
import { type Organization, tenantPort } from "../kernel/tenantPort.ts"
import { readingRecords } from "./records.ts"
import {
  cartOf,
  type CartRow,
  connectionOf,
  type ConnectionRow,
  customerOf,
  type JsonRow,
  type CustomerRow,
  orderOf,
  type OrderRow,
  rowColumns
} from "./storeRows.ts"

interface Row {
  readonly contactId: ContactId
  readonly customers: ReadonlyArray<CustomerRow>
  readonly lifetime: ReadonlyArray<typeof LifetimeTotals.Encoded>
  readonly orders: ReadonlyArray<OrderRow>
  readonly carts: ReadonlyArray<CartRow>
  readonly connections: ReadonlyArray<ConnectionRow>
  readonly customerIds: ReadonlyArray<KnownRef<StoreCustomerId>>
  readonly productIds: ReadonlyArray<KnownRef<ProductId>>
}

const decodeEntry = Schema.decodeSync(StoreTimelineEntry, asWritten)
const decodeLifetime = Schema.decodeSync(Schema.Array(LifetimeTotals), asWritten)

const rowsOf = (row: Row): StoredContactCommerce => ({
  ...row,
  customers: row.customers.map(customerOf),
  lifetime: decodeLifetime(row.lifetime),
  orders: row.orders.map(orderOf),
  carts: row.carts.map(cartOf),
  connections: row.connections.map(connectionOf)
})

export const layer = Layer.effect(
  ContactCommerceRecords,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = (kind: keyof typeof rowColumns) => sql.literal(rowColumns[kind])
    const listOf = (from: Statement.Fragment) =>
      sql`(SELECT coalesce(json_agg(row_to_json(t)), '[]'::json) FROM (${from}) AS t)`

    const readOf = Effect.fnUntraced(function* (
      { id: organizationId }: Organization,
      who: Statement.Fragment,
      orders: number
    ) {
      const his = sql`organization_id = ${organizationId} AND contact_id = (SELECT contact_id FROM who)`
      const [row] = yield* sql<Row>`
        WITH who AS MATERIALIZED (${who}),
        own_customers AS MATERIALIZED (
          SELECT * FROM store_customers WHERE ${his} AND closed_at IS NULL
          ORDER BY id DESC LIMIT ${commerceLimits.customers}
        ),
        own_orders AS MATERIALIZED (
          SELECT * FROM store_orders WHERE ${his} AND deleted_at IS NULL
          ORDER BY placed_at DESC, id DESC LIMIT ${orders}
        ),
        own_carts AS MATERIALIZED (
          SELECT * FROM store_carts WHERE ${his} AND state IN ('active', 'abandoned')
          ORDER BY last_activity_at DESC, id DESC LIMIT ${commerceLimits.carts}
        ),
        lines AS (
          SELECT store_connection_id, line->>'externalProductId' AS external_id
          FROM (SELECT store_connection_id, record FROM own_orders UNION ALL SELECT store_connection_id, record FROM own_carts) AS r
          CROSS JOIN LATERAL json_array_elements(r.record->'lines') AS line
        ),
        buyers AS (
          SELECT store_connection_id, external_customer_id AS external_id FROM own_orders
          UNION SELECT store_connection_id, external_customer_id FROM own_carts
        )
        SELECT who.contact_id AS "contactId",
          ${listOf(sql`SELECT ${columns("customers")} FROM own_customers ORDER BY own_customers.id DESC`)} AS customers,
          ${listOf(sql`
            SELECT currency, sum(order_count)::integer AS "orderCount",
              json_build_object('amountMinor', sum(spent_minor), 'currency', currency) AS spent,
              min(first_order_at) AS "firstOrderAt", max(last_order_at) AS "lastOrderAt"
            FROM store_lifetime_totals WHERE ${his} GROUP BY currency ORDER BY currency`)} AS lifetime,
          ${listOf(sql`SELECT ${columns("orders")} FROM own_orders ORDER BY placed_at DESC, own_orders.id DESC`)} AS orders,
          ${listOf(sql`SELECT ${columns("carts")} FROM own_carts ORDER BY last_activity_at DESC, own_carts.id DESC`)} AS carts,
          ${listOf(sql`
            SELECT ${columns("connections")} FROM store_connections WHERE organization_id = ${organizationId} AND id IN (
              SELECT store_connection_id FROM own_customers UNION SELECT store_connection_id FROM own_orders
              UNION SELECT store_connection_id FROM own_carts)
            ORDER BY store_connections.id`)} AS connections,
          ${listOf(sql`
            SELECT c.id, c.store_connection_id AS "storeConnectionId", c.external_id AS "externalId"
            FROM store_customers AS c JOIN buyers AS b ON b.store_connection_id = c.store_connection_id
              AND b.external_id = c.external_id
            WHERE c.organization_id = ${organizationId} AND c.closed_at IS NULL`)} AS "customerIds",
          ${listOf(sql`
            SELECT p.id, p.store_connection_id AS "storeConnectionId", p.external_id AS "externalId"
            FROM store_products AS p WHERE p.organization_id = ${organizationId}
              AND (p.store_connection_id, p.external_id) IN (SELECT store_connection_id, external_id FROM lines)`)} AS "productIds"
        FROM who`
      return row === undefined ? null : rowsOf(row)
    })

    const [customers, orders, carts] = [
      readingRecords(sql, "customers", "customer", customerOf, sql`true`),
      readingRecords(sql, "orders", "order", orderOf, sql`true`),
      readingRecords(sql, "carts", "cart", cartOf, sql`true`)
    ]

    return tenantPort(ContactCommerceRecords, {
      timeline: Effect.fnUntraced(function* ({ id: organizationId }, contactId, { after, limit }) {
        const [at, id] = after ?? []
        const before = (time: Statement.Fragment, ownId: Statement.Fragment) =>
          at === undefined || id === undefined
            ? sql``
            : sql`AND (${time}, ${ownId}) < (${at}::timestamptz, ${id}::uuid)`
        const rows = yield* sql<JsonRow<typeof StoreTimelineEntry.Encoded>>`
          WITH own AS MATERIALIZED (
            SELECT id, store_connection_id, placed_at, record, refund_ids FROM store_orders
            WHERE organization_id = ${organizationId} AND contact_id = ${contactId} AND deleted_at IS NULL
          ),
          refunds AS (
            SELECT own.id AS order_id, own.store_connection_id, (own.refund_ids->>(r.place::integer - 1))::uuid AS id,
              (r.refund->>'at')::timestamptz AS at, r.refund->'amount' AS amount
            FROM own CROSS JOIN LATERAL json_array_elements(own.record->'refunds') WITH ORDINALITY AS r (refund, place)
          )
          SELECT e.row FROM (
            (SELECT placed_at AS at, id, json_build_object('kind', 'order', 'id', id, 'at', placed_at,
              'storeConnectionId', store_connection_id, 'name', record->'name', 'total', record->'total',
              'paymentStatus', record->'paymentStatus', 'fulfilmentStatus', record->'fulfilmentStatus',
              'cancelledAt', record->'cancelledAt') AS row
            FROM own WHERE true ${before(sql`placed_at`, sql`id`)} ORDER BY placed_at DESC, id DESC LIMIT ${limit})
            UNION ALL
            (SELECT at, id, json_build_object('kind', 'refund', 'id', id, 'at', at,
              'storeConnectionId', store_connection_id, 'orderId', order_id, 'amount', amount)
            FROM refunds WHERE true ${before(sql`at`, sql`id`)} ORDER BY at DESC, id DESC LIMIT ${limit})
            UNION ALL
            (SELECT last_activity_at, id, json_build_object('kind', 'cart', 'id', id, 'at', last_activity_at,
              'storeConnectionId', store_connection_id, 'state', state, 'total', record->'total')
            FROM store_carts WHERE organization_id = ${organizationId} AND contact_id = ${contactId}
              ${before(sql`last_activity_at`, sql`id`)} ORDER BY last_activity_at DESC, id DESC LIMIT ${limit})
          ) AS e ORDER BY e.at DESC, e.id DESC LIMIT ${limit}`
        return rows.map(({ row }) => decodeEntry(row))
      }),
      heldBy: Effect.fnUntraced(function* (organization, contactId, limit) {
        const theirs = sql`contact_id = ${contactId}`
        return {
          customers: yield* customers.rowsWhere(
            organization,
            sql`${theirs} AND closed_at IS NULL`,
            sql`ORDER BY id DESC LIMIT ${limit}`
          ),
          orders: yield* orders.rowsWhere(
            organization,
            sql`${theirs} AND deleted_at IS NULL`,
            sql`ORDER BY placed_at DESC, id DESC LIMIT ${limit}`
          ),
          carts: yield* carts.rowsWhere(
            organization,
            theirs,
            sql`ORDER BY last_activity_at DESC, id DESC LIMIT ${limit}`
          )
        }
      }),
      lock: Effect.fnUntraced(function* (organization, contactIds) {
        const ids = sql`ANY(${Array.from(contactIds)}::uuid[])`
        const locked = sql`ORDER BY id FOR UPDATE`
        return {
          customers: yield* customers.rowsWhere(
            organization,
            sql`(contact_id = ${ids} OR conflict_contact_id = ${ids})`,
            locked
          ),
          orders: yield* orders.rowsWhere(organization, sql`contact_id = ${ids}`, locked),
          carts: yield* carts.rowsWhere(organization, sql`contact_id = ${ids}`, locked)
        }
      }),
      removeCarts: Effect.fnUntraced(function* (organization, ids) {
        yield* sql`
          DELETE FROM store_carts WHERE organization_id = ${organization.id} AND id = ANY(${Array.from(ids)}::uuid[])`
      }),
      read: Effect.fnUntraced(function* (organization, contactId, orders) {
        const rows = yield* readOf(organization, sql`SELECT ${contactId}::uuid AS contact_id`, orders)
        return rows ?? (yield* Effect.die(new Error("A statement without a table has answered nothing.")))
      }),
      readOfConversation: Effect.fnUntraced(function* (organization, id, orders) {
        const rows = yield* readOf(
          organization,
          sql`SELECT contact_id FROM conversations WHERE organization_id = ${organization.id} AND id = ${id}`,
          orders
        )
        return rows ?? (yield* new NotFound({ resource: "conversation" }))
      })
    })
  })
)
