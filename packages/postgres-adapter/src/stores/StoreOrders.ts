import { CurrentOrganization, isCounted, orderSearchText, type PlacedOrder, spentOn, StoreOrders } from "@parley/domain"
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, utc } from "../kernel/columns.ts"
import { driverFailuresDie } from "../kernel/defects.ts"
import { readingRecords } from "./records.ts"
import { conditionsOf, orderOf, orderRow } from "./storeRows.ts"

export const layer = Layer.effect(
  StoreOrders,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const records = readingRecords(sql, "orders", "order", orderOf, sql`deleted_at IS NULL`)
    return StoreOrders.of({
      get: records.get,
      list: (query, slice) =>
        records.list(
          [
            ...conditionsOf(sql, query, slice.after),
            ...(query.paymentStatus === null ? [] : [sql`payment_status = ${query.paymentStatus}`]),
            ...(query.fulfilmentStatus === null ? [] : [sql`fulfilment_status = ${query.fulfilmentStatus}`])
          ],
          slice
        ),
      placedFrom: Effect.fnUntraced(function* (storeConnectionId, tokens) {
        if (tokens.length === 0) return []
        const organization = yield* CurrentOrganization
        const rows = yield* sql<Omit<PlacedOrder, "placedAt"> & { readonly placedAt: Instant }>`
          SELECT id, checkout_token AS "checkoutToken", placed_at AS "placedAt" FROM store_orders
          WHERE organization_id = ${organization.id} AND store_connection_id = ${storeConnectionId}
            AND checkout_token = ANY(${Array.from(tokens)}::text[]) AND deleted_at IS NULL`
        return rows.map((row) => ({ ...row, placedAt: utc(row.placedAt) }))
      }, driverFailuresDie),
      lock: (storeConnectionId, externalIds) => records.lock(storeConnectionId, "external_id", externalIds),
      lockOfCustomer: (storeConnectionId, externalCustomerId) =>
        records.lock(storeConnectionId, "external_customer_id", [externalCustomerId]),
      put: Effect.fnUntraced(function* (orders) {
        if (orders.length === 0) return
        const organization = yield* CurrentOrganization
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
            counts: isCounted(order),
            currency: total.currency,
            spentMinor: spentOn(order.record).amountMinor,
            search: orderSearchText(order)
          }
        })
        yield* sql`
          INSERT INTO store_orders (organization_id, id, store_connection_id, external_id, external_customer_id,
            contact_id, checkout_token, placed_at, payment_status, fulfilment_status, counts, currency, spent_minor,
            record, refund_ids, search, deleted_at, created_at, updated_at)
          SELECT ${organization.id}::uuid, * FROM json_to_recordset(${PgTypes.json(rows)}) AS r (id uuid,
            "storeConnectionId" uuid, "externalId" text, "externalCustomerId" text, "contactId" uuid,
            "checkoutToken" text, "placedAt" timestamptz, "paymentStatus" text, "fulfilmentStatus" text, counts boolean,
            currency text, "spentMinor" bigint, record json, "refundIds" json, search text, "deletedAt" timestamptz,
            "createdAt" timestamptz, "updatedAt" timestamptz)
          ON CONFLICT (organization_id, id) DO UPDATE SET external_customer_id = excluded.external_customer_id,
            contact_id = excluded.contact_id, checkout_token = excluded.checkout_token, placed_at = excluded.placed_at,
            payment_status = excluded.payment_status, fulfilment_status = excluded.fulfilment_status,
            counts = excluded.counts, currency = excluded.currency, spent_minor = excluded.spent_minor,
            record = excluded.record, refund_ids = excluded.refund_ids, search = excluded.search,
            deleted_at = excluded.deleted_at, updated_at = excluded.updated_at`
      }, driverFailuresDie)
    })
  })
)
