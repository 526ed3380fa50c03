import { type OrganizationId, type StoreConnectionId, StoreDirectory } from "@parley/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { driverFailuresDie } from "../kernel/defects.ts"

interface Holder {
  readonly organizationId: OrganizationId
  readonly storeConnectionId: StoreConnectionId
}

export const layer = Layer.effect(
  StoreDirectory,
  Effect.map(SqlClient.SqlClient, (sql) =>
    StoreDirectory.of({
      holderOf: Effect.fnUntraced(function* (provider, shopDomain) {
        const [holder] = yield* sql<Holder>`
          SELECT c.organization_id AS "organizationId", c.id AS "storeConnectionId" FROM store_connections AS c
          WHERE c.provider = ${provider} AND c.status IN ('connected', 'error')
            AND (c.shop_domain = ${shopDomain} OR EXISTS (
              SELECT FROM store_former_domains AS f WHERE f.organization_id = c.organization_id
                AND f.store_connection_id = c.id AND f.provider = ${provider} AND f.shop_domain = ${shopDomain}))
          ORDER BY (c.shop_domain = ${shopDomain}) DESC LIMIT 1`
        return holder ?? null
      }, driverFailuresDie)
    })
  )
)
