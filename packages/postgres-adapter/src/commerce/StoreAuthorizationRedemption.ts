import type { OrganizationId } from "@parley/domain/kernel"
import { type StoreAuthorization, StoreAuthorizationRedemption } from "@parley/domain/commerce"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { stamp } from "../kernel/columns.ts"
import { storagePort } from "../kernel/tenantPort.ts"

export const layer = Layer.effect(
  StoreAuthorizationRedemption,
  Effect.map(SqlClient.SqlClient, (sql) =>
    storagePort(StoreAuthorizationRedemption, {
      redeem: Effect.fnUntraced(function* (digest, now) {
        const [authorization] = yield* sql<StoreAuthorization & { readonly organizationId: OrganizationId }>`
          DELETE FROM store_authorizations WHERE digest = ${digest} AND expires_at > ${stamp(now)}
          RETURNING organization_id AS "organizationId", store_connection_id AS "storeConnectionId", provider,
            shop_domain AS "shopDomain", actor, code_challenge AS "codeChallenge", return_to AS "returnTo"`
        return authorization ?? null
      })
    })
  )
)
