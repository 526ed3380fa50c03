import {
  isCountedOrder,
  type LastOrder,
  type OrderId,
  orderSearchText,
  type PlacedOrder,
  spentAmount,
  StoreOrders
} from "@parley/domain/commerce"
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, stamp, utc } from "../kernel/columns.ts"
import { keysetOrder } from "../kernel/keysetOrder.ts"
import { searchForm } from "../crm/searchForm.ts"
import { uuids } from "../kernel/uuids.ts"
import { tenantPort } from "../kernel/tenantPort.ts"
import { orderSearches } from "./orderSearches.ts"
import { linesOf, orderTotals, sumsOf } from "./orderTotals.ts"
import { readingRecords } from "./records.ts"
import { referencedOrders } from "./referencedOrders.ts"
import { linkConditions, orderOf, orderRow } from "./storeRows.ts"

const sortColumns = { createdAt: null, placedAt: { name: "placed_at", type: "timestamptz" } } as const

export const layer = Layer.effect(
  StoreOrders,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const records = readingRecords(sql, "orders", "order", orderOf, sql`deleted_at IS NULL`)
    const totals = orderTotals(sql)
    const searches = orderSearches(sql)
    return tenantPort(StoreOrders, {
      get: records.get,
      list: (
        organization,
        { fulfilmentStatus, paymentStatus, placedFrom, placedTo, search, sort, ...links },
        slice
      ) => {
        const page = keysetOrder(sql, sortColumns, sort, slice.after)
        return records.list(
          organization,
          [
            ...linkConditions(sql, links),
            ...(paymentStatus === null ? [] : [sql`payment_status = ${paymentStatus}`]),
            ...(fulfilmentStatus === null ? [] : [sql`fulfilment_status = ${fulfilmentStatus}`]),
            ...(placedFrom === null ? [] : [sql`placed_at >= ${stamp(placedFrom)}`]),
            ...(placedTo === null ? [] : [sql`placed_at < ${stamp(placedTo)}`]),
            ...(search === null ? [] : [searches.matching(organization, search)]),
            ...page.after
          ],
          slice,
          page.order
        )
      },
      wordsLike: searches.wordsLike,
      placedFrom: Effect.fnUntraced(function* (organization, storeConnectionId, tokens) {
        if (tokens.length === 0) return []
        const rows = yield* sql<Omit<PlacedOrder, "placedAt"> & { readonly placedAt: Instant }>`
          SELECT id, checkout_token AS "checkoutToken", placed_at AS "placedAt" FROM store_orders
          WHERE organization_id = ${organization.id} AND store_connection_id = ${storeConnectionId}
            AND checkout_token = ANY(${Array.from(tokens)}::text[]) AND deleted_at IS NULL`
        return rows.map((row) => ({ ...row, placedAt: utc(row.placedAt) }))
      }),
      lastPlaced: Effect.fnUntraced(function* (organization, storeConnectionId, { contactIds, externalCustomerIds }) {
        if (contactIds.length === 0 && externalCustomerIds.length === 0) return []
        const standing = sql`organization_id = ${organization.id} AND deleted_at IS NULL AND NOT (record->>'test')::boolean`
        const rows = yield* sql<Omit<LastOrder, "placedAt"> & { readonly placedAt: Instant }>`
          SELECT contact_id AS "contactId", NULL::text AS "externalCustomerId", max(placed_at) AS "placedAt"
          FROM store_orders WHERE ${standing} AND contact_id = ANY(${Array.from(contactIds)}::uuid[])
          GROUP BY contact_id
          UNION ALL
          SELECT NULL::uuid, external_customer_id, max(placed_at)
          FROM store_orders WHERE ${standing} AND store_connection_id = ${storeConnectionId}
            AND external_customer_id = ANY(${Array.from(externalCustomerIds)}::text[])
          GROUP BY external_customer_id`
        return rows.map((row) => ({ ...row, placedAt: utc(row.placedAt) }))
      }),
      lock: (organization, storeConnectionId, externalIds) =>
        records.lock(organization, storeConnectionId, "external_id", externalIds),
      ...referencedOrders(sql),
      lockSome: Effect.fnUntraced(function* (organization, storeConnectionId, limit) {
        const rows = yield* sql<{ readonly id: OrderId }>`
          SELECT id FROM store_orders
          WHERE organization_id = ${organization.id} AND store_connection_id = ${storeConnectionId}
          ORDER BY external_id LIMIT ${limit} FOR UPDATE`
        return rows.map(({ id }) => id)
      }),
      remove: Effect.fnUntraced(function* (organization, ids) {
        yield* sql`
          DELETE FROM store_orders WHERE organization_id = ${organization.id} AND id = ANY(${uuids(ids)})`
      }),
      put: Effect.fnUntraced(function* (organization, orders) {
        if (orders.length === 0) return
        const rows = orders.map((order) => {
          const row = orderRow(order)
          const { checkoutToken, externalCustomerId, externalId, fulfilmentStatus, paymentStatus, placedAt, total } =
            row.record
          return {
            ...row,
            externalId,
            externalCustomerId,
            checkoutToken,
            placedAt,
            paymentStatus,
            fulfilmentStatus,
            counts: isCountedOrder(order),
            currency: total.currency,
            spentMinor: spentAmount(order.record).amountMinor,
            search: searchForm(orderSearchText(order))
          }
        })
        const ids = orders.map(({ id }) => id)
        const areNew = yield* totals.areNew(organization.id, ids)
        const sums = areNew ? [] : yield* totals.take(organization.id, ids, sumsOf(orders))
        // The lines of each order are looked up separately: PostgreSQL would otherwise scan a table without statistics each time.
        yield* sql`
          WITH put AS (INSERT INTO store_orders (organization_id, id, store_connection_id, external_id, external_customer_id,
            contact_id, checkout_token, placed_at, payment_status, fulfilment_status, counts, currency, spent_minor,
            record, refund_ids, gross, search, deleted_at, created_at, updated_at)
          SELECT ${organization.id}::uuid, * FROM json_to_recordset(${PgTypes.json(rows)}) AS r (id uuid,
            "storeConnectionId" uuid, "externalId" text, "externalCustomerId" text, "contactId" uuid,
            "checkoutToken" text, "placedAt" timestamptz, "paymentStatus" text, "fulfilmentStatus" text, counts boolean,
            currency text, "spentMinor" bigint, record json, "refundIds" json, gross json, search text, "deletedAt" timestamptz,
            "createdAt" timestamptz, "updatedAt" timestamptz)
          ON CONFLICT (organization_id, id) DO UPDATE SET external_customer_id = excluded.external_customer_id,
            contact_id = excluded.contact_id, checkout_token = excluded.checkout_token, placed_at = excluded.placed_at,
            payment_status = excluded.payment_status, fulfilment_status = excluded.fulfilment_status,
            counts = excluded.counts, currency = excluded.currency, spent_minor = excluded.spent_minor,
            record = excluded.record, refund_ids = excluded.refund_ids, gross = excluded.gross, search = excluded.search,
            deleted_at = excluded.deleted_at, updated_at = excluded.updated_at
          ), lines AS MATERIALIZED (
            SELECT "orderId" AS order_id, "externalProductId" AS external_product_id,
              "storeConnectionId" AS store_connection_id, "contactId" AS contact_id, "placedAt" AS placed_at
            FROM json_to_recordset(${PgTypes.json(linesOf(orders))}) AS r ("orderId" uuid, "externalProductId" text,
              "storeConnectionId" uuid, "contactId" uuid, "placedAt" timestamptz)
          ), left_over AS (
            SELECT l.order_id, l.external_product_id
            FROM unnest(${ids}::uuid[]) AS o (id) CROSS JOIN LATERAL (
              SELECT order_id, external_product_id FROM store_order_lines
              WHERE organization_id = ${organization.id} AND order_id = o.id OFFSET 0
            ) AS l
            WHERE NOT EXISTS (SELECT FROM lines AS n
              WHERE n.order_id = l.order_id AND n.external_product_id = l.external_product_id)
          ), gone AS (
            DELETE FROM store_order_lines AS l USING left_over AS n WHERE l.organization_id = ${organization.id}
              AND l.order_id = n.order_id AND l.external_product_id = n.external_product_id
          )
          INSERT INTO store_order_lines AS l (organization_id, order_id, external_product_id, store_connection_id,
            contact_id, placed_at)
          SELECT ${organization.id}::uuid, order_id, external_product_id, store_connection_id, contact_id, placed_at
          FROM lines
          ON CONFLICT (organization_id, order_id, external_product_id)
            DO UPDATE SET contact_id = excluded.contact_id, placed_at = excluded.placed_at
            WHERE (l.contact_id, l.placed_at) IS DISTINCT FROM (excluded.contact_id, excluded.placed_at)`
        yield* areNew ? totals.add(organization.id, orders) : totals.settle(organization.id, sums)
      })
    })
  })
)
