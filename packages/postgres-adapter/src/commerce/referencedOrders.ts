import type { ShopOrderRefs, StoreConnectionId } from "@parley/domain/commerce"
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { Organization } from "../kernel/tenantPort.ts"
import { type JsonRow, orderOf, type OrderRow, rowColumns } from "./storeRows.ts"

/** Queries of orders by their ids in a shop and by its customers. */
export const referencedOrders = (sql: SqlClient.SqlClient) => {
  const columns = sql.literal(rowColumns.orders)

  /** Each value is looked up separately: PostgreSQL would scan a table without statistics for several values. */
  const ordersOf = (
    organization: Organization,
    storeConnectionId: StoreConnectionId,
    { externalCustomerIds, externalIds }: ShopOrderRefs,
    selected: Statement.Fragment,
    rest: Statement.Fragment
  ) => {
    const ids = (name: Statement.Fragment, values: ReadonlyArray<string>) => sql`
      SELECT k.id FROM unnest(${Array.from(values)}::text[]) AS v (value) CROSS JOIN LATERAL (
        SELECT id FROM store_orders WHERE organization_id = ${organization.id}
          AND store_connection_id = ${storeConnectionId} AND ${name} = v.value OFFSET 0
      ) AS k`
    return sql`
      (SELECT id FROM (
        ${ids(sql`external_id`, externalIds)} UNION ${ids(sql`external_customer_id`, externalCustomerIds)}
      ) AS found ORDER BY id) AS known CROSS JOIN LATERAL (
        SELECT ${selected} FROM store_orders WHERE organization_id = ${organization.id} AND id = known.id
          AND (external_id = ANY(${Array.from(externalIds)}::text[])
            OR external_customer_id = ANY(${Array.from(externalCustomerIds)}::text[])) ${rest}
      ) AS t`
  }
  const stands = sql`AND deleted_at IS NULL`

  return {
    referenced: Effect.fnUntraced(function* (
      organization: Organization,
      storeConnectionId: StoreConnectionId,
      refs: ShopOrderRefs,
      limit: number
    ) {
      const rows = yield* sql<JsonRow<OrderRow>>`
        SELECT row_to_json(t) AS row FROM ${ordersOf(organization, storeConnectionId, refs, columns, stands)}
        ORDER BY known.id LIMIT ${limit}`
      return rows.map(({ row }) => orderOf(row))
    }),
    countReferenced: Effect.fnUntraced(function* (
      organization: Organization,
      storeConnectionId: StoreConnectionId,
      refs: ShopOrderRefs
    ) {
      const [row] = yield* sql<{ readonly count: number }>`
        SELECT count(*)::integer AS count FROM ${ordersOf(organization, storeConnectionId, refs, sql`id`, stands)}`
      return row?.count ?? 0
    }),
    lockReferenced: Effect.fnUntraced(function* (
      organization: Organization,
      storeConnectionId: StoreConnectionId,
      refs: ShopOrderRefs
    ) {
      const rows = yield* sql<JsonRow<OrderRow>>`
        SELECT row_to_json(t) AS row FROM ${ordersOf(organization, storeConnectionId, refs, columns, sql`FOR UPDATE`)}`
      return rows.map(({ row }) => orderOf(row))
    })
  }
}
