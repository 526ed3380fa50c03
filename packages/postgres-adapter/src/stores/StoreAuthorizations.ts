import { CurrentOrganization, StoreAuthorizations } from "@parley/domain"
import { PgTypes } from "@effect/sql-pg"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { stamp } from "../kernel/columns.ts"
import { driverFailuresDie } from "../kernel/defects.ts"
import { sweepInBatches } from "../kernel/sweepInBatches.ts"

export const layer = Layer.effect(
  StoreAuthorizations,
  Effect.map(SqlClient.SqlClient, (sql) =>
    StoreAuthorizations.of({
      insert: Effect.fnUntraced(function* (digest, authorization, expiresAt) {
        const organization = yield* CurrentOrganization
        const { actor, permissions, provider, returnTo, shopDomain, storeConnectionId } = authorization
        yield* sql`
          INSERT INTO store_authorizations (organization_id, digest, store_connection_id, provider, shop_domain, actor,
            permissions, return_to, expires_at)
          VALUES (${organization.id}, ${digest}, ${storeConnectionId}, ${provider}, ${shopDomain},
            ${PgTypes.json(actor)}, ${PgTypes.json(permissions)}, ${returnTo}, ${stamp(expiresAt)})`
      }, driverFailuresDie),
      sweep: Effect.fnUntraced(function* () {
        const organization = yield* CurrentOrganization
        const before = DateTime.subtract(yield* DateTime.now, { days: 1 })
        return yield* sweepInBatches(
          (most) => sql`
            WITH old AS MATERIALIZED (
              SELECT digest FROM store_authorizations
              WHERE organization_id = ${organization.id} AND expires_at <= ${stamp(before)}
              LIMIT ${most} FOR UPDATE SKIP LOCKED
            )
            DELETE FROM store_authorizations AS t USING old
            WHERE t.organization_id = ${organization.id} AND t.digest = old.digest RETURNING 1`
        )
      }, driverFailuresDie)
    })
  )
)
