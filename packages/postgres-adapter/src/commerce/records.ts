import { NotFound, type Slice } from "@parley/domain/kernel"
import type { ExternalRef, KnownRef } from "@parley/domain/commerce"
import { PgTypes } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import type { Organization } from "../kernel/tenantPort.ts"
import { type JsonRow, rowColumns } from "./storeRows.ts"

/** Queries of the records of one kind. */
export const readingRecords = <Row, Kept>(
  sql: SqlClient.SqlClient,
  kind: "customers" | "orders" | "carts" | "products",
  resource: string,
  keptOf: (row: Row) => Kept,
  /** Condition for visible rows. */
  shown: Statement.Fragment
) => {
  const table = sql.literal(`store_${kind}`)
  const columns = sql.literal(rowColumns[kind])

  const rowsWhere = Effect.fnUntraced(function* (
    organization: Organization,
    condition: Statement.Fragment,
    rest = sql``
  ) {
    const rows = yield* sql<JsonRow<Row>>`
      SELECT row_to_json(t) AS row FROM (
        SELECT ${columns} FROM ${table} WHERE organization_id = ${organization.id} AND ${condition} ${rest}) AS t`
    return rows.map(({ row }) => keptOf(row))
  })

  return {
    rowsWhere,
    get: Effect.fnUntraced(function* (organization: Organization, id: string) {
      const [found] = yield* rowsWhere(organization, sql`id = ${id} AND ${shown}`)
      return found ?? (yield* new NotFound({ resource }))
    }),
    list: (
      organization: Organization,
      conditions: ReadonlyArray<Statement.Fragment>,
      { limit }: Slice,
      order = sql.literal("id DESC")
    ) => rowsWhere(organization, sql.and([shown, ...conditions]), sql`ORDER BY ${order} LIMIT ${limit}`),
    /**
     * Locks records in id order. Each value is looked up separately: PostgreSQL would scan a table without statistics
     * for several values.
     */
    lock: Effect.fnUntraced(function* (
      organization: Organization,
      storeConnectionId: string,
      column: "external_id" | "external_customer_id" | "token",
      values: ReadonlyArray<string>
    ) {
      if (values.length === 0) return []
      const name = sql.literal(column)
      const rows = yield* sql<JsonRow<Row>>`
        SELECT row_to_json(t) AS row FROM (
          SELECT k.id, v.value FROM unnest(${Array.from(values)}::text[]) AS v (value) CROSS JOIN LATERAL (
            SELECT id FROM ${table} WHERE organization_id = ${organization.id}
              AND store_connection_id = ${storeConnectionId} AND ${name} = v.value OFFSET 0
          ) AS k ORDER BY k.id
        ) AS known CROSS JOIN LATERAL (
          SELECT ${columns} FROM ${table}
          WHERE organization_id = ${organization.id} AND id = known.id AND ${name} = known.value FOR UPDATE
        ) AS t`
      return rows.map(({ row }) => keptOf(row))
    })
  }
}

/** Existing records among these shop records. */
export const knownRefs = <Id>(sql: SqlClient.SqlClient, kind: "customers" | "products", shown: Statement.Fragment) =>
  Effect.fnUntraced(function* (organization: Organization, refs: ReadonlyArray<ExternalRef>) {
    if (refs.length === 0) return []
    return yield* sql<KnownRef<Id>>`
      SELECT t.id, t.store_connection_id AS "storeConnectionId", t.external_id AS "externalId"
      FROM json_to_recordset(${PgTypes.json(refs)}) AS r ("storeConnectionId" uuid, "externalId" text)
      JOIN ${sql.literal(`store_${kind}`)} AS t ON t.organization_id = ${organization.id}
        AND t.store_connection_id = r."storeConnectionId" AND t.external_id = r."externalId"
      WHERE ${shown}`
  })
