import { type ActorRef, CurrentOrganization, type ParkedStoreCode, StoreAuthorizations } from "@parley/domain"
import { PgTypes } from "@effect/sql-pg"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { stamp } from "../kernel/columns.ts"
import { driverFailuresDie } from "../kernel/defects.ts"
import { sweepInBatches } from "../kernel/sweepInBatches.ts"

type ParkedRow = Omit<ParkedStoreCode, "actor"> & {
  readonly actorKind: ActorRef["kind"]
  readonly actorId: string
}

const parkedOf = ({ actorId, actorKind, ...parked }: ParkedRow): ParkedStoreCode => ({
  ...parked,
  actor: { kind: actorKind, id: actorId }
})

export const layer = Layer.effect(
  StoreAuthorizations,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const sweepTable = Effect.fnUntraced(function* (table: string, expiredBy: DateTime.Utc) {
      const organization = yield* CurrentOrganization
      return yield* sweepInBatches(
        (most) => sql`
          WITH old AS MATERIALIZED (
            SELECT digest FROM ${sql(table)}
            WHERE organization_id = ${organization.id} AND expires_at <= ${stamp(expiredBy)}
            LIMIT ${most} FOR UPDATE SKIP LOCKED
          )
          DELETE FROM ${sql(table)} AS t USING old
          WHERE t.organization_id = ${organization.id} AND t.digest = old.digest RETURNING 1`
      )
    })

    return StoreAuthorizations.of({
      insert: Effect.fnUntraced(function* (digest, authorization, expiresAt) {
        const organization = yield* CurrentOrganization
        const { actor, codeChallenge, provider, returnTo, shopDomain, storeConnectionId } = authorization
        yield* sql`
          INSERT INTO store_authorizations (organization_id, digest, store_connection_id, provider, shop_domain, actor,
            code_challenge, return_to, expires_at)
          VALUES (${organization.id}, ${digest}, ${storeConnectionId}, ${provider}, ${shopDomain},
            ${PgTypes.json(actor)}, ${codeChallenge}, ${returnTo}, ${stamp(expiresAt)})`
      }, driverFailuresDie),
      park: Effect.fnUntraced(function* (digest, parked, expiresAt) {
        const organization = yield* CurrentOrganization
        const { actor, codeChallenge, provider, sealedCode, shopDomain, storeConnectionId } = parked
        yield* sql`
          INSERT INTO store_parked_codes (organization_id, digest, store_connection_id, provider, shop_domain,
            actor_kind, actor_id, code_challenge, sealed_code, expires_at)
          VALUES (${organization.id}, ${digest}, ${storeConnectionId}, ${provider}, ${shopDomain},
            ${actor.kind}, ${actor.id}, ${codeChallenge}, ${sealedCode}, ${stamp(expiresAt)})`
      }, driverFailuresDie),
      takeParked: Effect.fnUntraced(function* ({ actor, codeChallenge, digest, storeConnectionId }, now) {
        const organization = yield* CurrentOrganization
        const [row] = yield* sql<ParkedRow>`
          DELETE FROM store_parked_codes
          WHERE organization_id = ${organization.id} AND digest = ${digest} AND expires_at > ${stamp(now)}
            AND store_connection_id = ${storeConnectionId} AND code_challenge = ${codeChallenge}
            AND actor_kind = ${actor.kind} AND actor_id = ${actor.id}
          RETURNING store_connection_id AS "storeConnectionId", provider, shop_domain AS "shopDomain",
            actor_kind AS "actorKind", actor_id AS "actorId", code_challenge AS "codeChallenge",
            sealed_code AS "sealedCode"`
        return row === undefined ? null : parkedOf(row)
      }, driverFailuresDie),
      sweep: Effect.fnUntraced(function* () {
        const now = yield* DateTime.now
        const states = yield* sweepTable("store_authorizations", DateTime.subtract(now, { days: 1 }))
        return states + (yield* sweepTable("store_parked_codes", now))
      }, driverFailuresDie)
    })
  })
)
