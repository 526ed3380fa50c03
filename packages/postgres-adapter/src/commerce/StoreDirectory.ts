import { type KnownStore, StoreDirectory } from "@parley/domain/commerce"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { storagePort } from "../kernel/tenantPort.ts"

export const layer = Layer.effect(
  StoreDirectory,
  Effect.map(SqlClient.SqlClient, (sql) =>
    storagePort(StoreDirectory, {
      knownAs: Effect.fnUntraced(function* (provider, shopDomain, shopId) {
        return yield* sql<KnownStore>`
          SELECT c.organization_id AS "organizationId", c.id AS "storeConnectionId", c.shop_domain AS "shopDomain",
            c.shop_id AS "shopId", c.status
          FROM store_connections AS c WHERE c.provider = ${provider} AND c.status <> 'pending'
            AND (c.shop_domain = ${shopDomain} OR c.shop_id = ${shopId} OR (c.organization_id, c.id) IN (
              SELECT f.organization_id, f.store_connection_id FROM store_previous_domains AS f
              WHERE f.provider = ${provider} AND f.shop_domain = ${shopDomain}))
          ORDER BY c.status = 'uninstalled', c.organization_id, c.id`
      })
    })
  )
)
