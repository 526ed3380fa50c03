import { cartSearchText, StoreCarts } from "@parley/domain/commerce"
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, stamp, utcOrNull } from "../kernel/columns.ts"
import { searchForm } from "../crm/searchForm.ts"
import { sweepInBatches } from "../kernel/sweepInBatches.ts"
import { tenantPort } from "../kernel/tenantPort.ts"
import { readingRecords } from "./records.ts"
import { cartOf, cartRow, conditionsOf } from "./storeRows.ts"

export const layer = Layer.effect(
  StoreCarts,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const records = readingRecords(sql, "carts", "cart", cartOf, sql`true`)
    return tenantPort(StoreCarts, {
      get: records.get,
      list: (organization, query, slice) =>
        records.list(
          organization,
          [...conditionsOf(sql, query, slice.after), ...(query.state === null ? [] : [sql`state = ${query.state}`])],
          slice
        ),
      lock: (organization, storeConnectionId, externalIds) =>
        records.lock(organization, storeConnectionId, "external_id", externalIds),
      lockByToken: (organization, storeConnectionId, tokens) =>
        records.lock(organization, storeConnectionId, "token", tokens),
      lockOfCustomers: (organization, storeConnectionId, externalCustomerIds) =>
        records.lock(organization, storeConnectionId, "external_customer_id", externalCustomerIds),
      silent: (organization, storeConnectionId, state, since, { after, limit }) =>
        records.rowsWhere(
          organization,
          sql.and([
            sql`store_connection_id = ${storeConnectionId} AND state = ${state} AND last_activity_at <= ${stamp(since)}`,
            ...(after === null
              ? []
              : [sql`(last_activity_at, id) > (${after[0] ?? null}::timestamptz, ${after[1] ?? null}::uuid)`])
          ]),
          sql`ORDER BY last_activity_at, id LIMIT ${limit}`
        ),
      nextSilent: Effect.fnUntraced(function* (organization, storeConnectionId, after) {
        const [row] = yield* sql<{ readonly at: Instant | null }>`
          SELECT min(last_activity_at) AS at FROM store_carts
          WHERE organization_id = ${organization.id} AND store_connection_id = ${storeConnectionId}
            AND state = 'active' AND last_activity_at > ${stamp(after)}`
        return utcOrNull(row?.at ?? null)
      }),
      sweep: Effect.fnUntraced(function* (organization, endedBy) {
        return yield* sweepInBatches(
          (most) => sql`
            WITH old AS MATERIALIZED (
              SELECT id FROM store_carts
              WHERE organization_id = ${organization.id} AND closed_at <= ${stamp(endedBy)}
              LIMIT ${most} FOR UPDATE SKIP LOCKED
            )
            DELETE FROM store_carts AS t USING old
            WHERE t.organization_id = ${organization.id} AND t.id = old.id RETURNING 1`
        )
      }),
      put: Effect.fnUntraced(function* (organization, carts) {
        if (carts.length === 0) return
        const rows = carts.map((cart) => {
          const row = cartRow(cart)
          const { externalCustomerId, externalId, token, updatedAt: lastActivityAt } = row.record
          return {
            ...row,
            externalId,
            externalCustomerId,
            token,
            lastActivityAt,
            search: searchForm(cartSearchText(cart))
          }
        })
        yield* sql`
          INSERT INTO store_carts (organization_id, id, store_connection_id, external_id, token, external_customer_id,
            contact_id, state, last_activity_at, abandoned_at, abandonment_published_at, order_id, closed_at, record, search, created_at,
            updated_at)
          SELECT ${organization.id}::uuid, * FROM json_to_recordset(${PgTypes.json(rows)}) AS r (id uuid,
            "storeConnectionId" uuid, "externalId" text, token text, "externalCustomerId" text, "contactId" uuid,
            state text, "lastActivityAt" timestamptz, "abandonedAt" timestamptz, "toldAt" timestamptz, "orderId" uuid,
            "closedAt" timestamptz, record json, search text, "createdAt" timestamptz, "updatedAt" timestamptz)
          ON CONFLICT (organization_id, id) DO UPDATE SET external_id = excluded.external_id, token = excluded.token,
            external_customer_id = excluded.external_customer_id, contact_id = excluded.contact_id,
            state = excluded.state, last_activity_at = excluded.last_activity_at, abandoned_at = excluded.abandoned_at,
            abandonment_published_at = excluded.abandonment_published_at, order_id = excluded.order_id, closed_at = excluded.closed_at,
            record = excluded.record, search = excluded.search, updated_at = excluded.updated_at`
      })
    })
  })
)
