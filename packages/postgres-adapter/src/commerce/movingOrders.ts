import type { ContactId } from "@parley/domain/crm"
import type { OrderId, StoreConnectionId } from "@parley/domain/commerce"
import { PgTypes } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { orderTotals } from "./orderTotals.ts"
import type { CustomerRow } from "./storeRows.ts"

interface Moved {
  readonly id: OrderId
  readonly storeConnectionId: StoreConnectionId
  readonly currency: string
  readonly counts: boolean
  readonly contactId: ContactId | null
  readonly updatedAt: string
}

/** Moves orders with their customers to and from a contact, with lines and lifetime totals. */
export const movingOrders = (sql: SqlClient.SqlClient) => {
  const totals = orderTotals(sql)
  return Effect.fnUntraced(function* (organizationId: string, customers: ReadonlyArray<CustomerRow>) {
    const moved = yield* sql<Moved>`
      SELECT t.id, known."storeConnectionId", t.currency, t.counts, known."contactId", known."updatedAt" FROM (
        SELECT k.id, r.* FROM json_to_recordset(${PgTypes.json(customers)}) AS r ("storeConnectionId" uuid,
          "externalId" text, "contactId" uuid, "updatedAt" text) CROSS JOIN LATERAL (
          SELECT id FROM store_orders WHERE organization_id = ${organizationId}
            AND store_connection_id = r."storeConnectionId" AND external_customer_id = r."externalId"
            AND contact_id IS DISTINCT FROM r."contactId" OFFSET 0
        ) AS k ORDER BY k.id
      ) AS known CROSS JOIN LATERAL (
        SELECT id, currency, counts FROM store_orders
        WHERE organization_id = ${organizationId} AND id = known.id AND external_customer_id = known."externalId" FOR UPDATE
      ) AS t`
    if (moved.length === 0) return
    const sums = yield* totals.take(
      organizationId,
      moved.map(({ id }) => id),
      moved.flatMap(({ contactId, counts, currency, storeConnectionId }) =>
        contactId !== null && counts ? [{ contactId, storeConnectionId, currency }] : []
      )
    )
    yield* sql`
      WITH moved AS MATERIALIZED (
        SELECT id, "contactId" AS contact_id, "updatedAt" AS updated_at
        FROM json_to_recordset(${PgTypes.json(moved)}) AS r (id uuid, "contactId" uuid, "updatedAt" timestamptz)
      ), bought AS (
        UPDATE store_order_lines AS l SET contact_id = m.contact_id FROM moved AS m
        WHERE l.organization_id = ${organizationId} AND l.order_id = m.id
      )
      UPDATE store_orders AS t SET contact_id = m.contact_id, updated_at = greatest(t.updated_at, m.updated_at)
      FROM moved AS m WHERE t.organization_id = ${organizationId} AND t.id = m.id`
    yield* totals.settle(organizationId, sums)
  })
}
