import { type ProductId, productSearchText, StoreProducts } from "@parley/domain/commerce"
import { PgTypes } from "@effect/sql-pg"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { searchForm } from "../crm/searchForm.ts"
import { knownRefs, readingRecords } from "./records.ts"
import { conditionsOf, productOf, productRow } from "./storeRows.ts"
import { tenantPort } from "../kernel/tenantPort.ts"

export const layer = Layer.effect(
  StoreProducts,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const records = readingRecords(sql, "products", "product", productOf, sql`true`)
    return tenantPort(StoreProducts, {
      get: records.get,
      list: (organization, query, slice) =>
        records.list(organization, conditionsOf(sql, { ...query, contactId: null }, slice.after), slice),
      known: Effect.fnUntraced(function* (organization, ids) {
        if (ids.length === 0) return []
        const rows = yield* sql<{ readonly id: ProductId }>`
          SELECT id FROM store_products
          WHERE organization_id = ${organization.id} AND id = ANY(${Array.from(ids)}::uuid[])`
        return rows.map(({ id }) => id)
      }),
      idsOf: knownRefs<ProductId>(sql, "products", sql`true`),
      lock: (organization, storeConnectionId, externalIds) =>
        records.lock(organization, storeConnectionId, "external_id", externalIds),
      put: Effect.fnUntraced(function* (organization, products) {
        if (products.length === 0) return
        const rows = products.map((kept) => ({ ...productRow(kept), search: searchForm(productSearchText(kept)) }))
        yield* sql`
          INSERT INTO store_products (organization_id, id, store_connection_id, external_id, title, status, url,
            image_url, variants, search, changed_at, created_at, updated_at)
          SELECT ${organization.id}::uuid, * FROM json_to_recordset(${PgTypes.json(rows)}) AS r (id uuid,
            "storeConnectionId" uuid, "externalId" text, title text, status text, url text, "imageUrl" text,
            variants json, search text, "changedAt" timestamptz, "createdAt" timestamptz, "updatedAt" timestamptz)
          ON CONFLICT (organization_id, id) DO UPDATE SET title = excluded.title, status = excluded.status,
            url = excluded.url, image_url = excluded.image_url, variants = excluded.variants, search = excluded.search,
            changed_at = excluded.changed_at, updated_at = excluded.updated_at`
      })
    })
  })
)
