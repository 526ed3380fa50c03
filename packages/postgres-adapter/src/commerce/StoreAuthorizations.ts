import type { ActorRef } from "@parley/domain/kernel"
import { type ParkedStoreCode, StoreAuthorizations, type StoreCodeReservation } from "@parley/domain/commerce"
import { PgTypes } from "@effect/sql-pg"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { aboveTenants } from "../kernel/aboveTenants.ts"
import { advisoryKey } from "../kernel/advisoryKey.ts"
import { stamp } from "../kernel/columns.ts"
import { sweepInBatches } from "../kernel/sweepInBatches.ts"
import { type Organization, tenantPort } from "../kernel/tenantPort.ts"

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
    const sweepTable = Effect.fnUntraced(function* (
      organization: Organization,
      table: string,
      expiredBy: DateTime.Utc,
      others = sql``
    ) {
      return yield* sweepInBatches(
        (most) => sql`
          WITH old AS MATERIALIZED (
            SELECT digest FROM ${sql(table)}
            WHERE organization_id = ${organization.id} AND expires_at <= ${stamp(expiredBy)} ${others}
            LIMIT ${most} FOR UPDATE SKIP LOCKED
          )
          DELETE FROM ${sql(table)} AS t USING old
          WHERE t.organization_id = ${organization.id} AND t.digest = old.digest RETURNING 1`
      )
    })

    return tenantPort(StoreAuthorizations, {
      insert: Effect.fnUntraced(function* (organization, digest, authorization, expiresAt) {
        const { actor, codeChallenge, provider, returnTo, shopDomain, storeConnectionId } = authorization
        yield* sql`
          INSERT INTO store_authorizations (organization_id, digest, store_connection_id, provider, shop_domain, actor,
            code_challenge, return_to, expires_at)
          VALUES (${organization.id}, ${digest}, ${storeConnectionId}, ${provider}, ${shopDomain},
            ${PgTypes.json(actor)}, ${codeChallenge}, ${returnTo}, ${stamp(expiresAt)})`
      }),
      park: Effect.fnUntraced(function* (organization, digest, parked, expiresAt) {
        const { actor, codeChallenge, provider, sealedCode, shopDomain, storeConnectionId } = parked
        yield* sql`
          INSERT INTO store_parked_codes (organization_id, digest, store_connection_id, provider, shop_domain,
            actor_kind, actor_id, code_challenge, sealed_code, expires_at)
          VALUES (${organization.id}, ${digest}, ${storeConnectionId}, ${provider}, ${shopDomain},
            ${actor.kind}, ${actor.id}, ${codeChallenge}, ${sealedCode}, ${stamp(expiresAt)})`
      }),
      reserve: Effect.fnUntraced(function* (
        organization,
        { actor, codeChallenge, digest, storeConnectionId },
        now,
        until
      ) {
        const [row] = yield* sql<ParkedRow>`
          SELECT store_connection_id AS "storeConnectionId", provider, shop_domain AS "shopDomain",
            actor_kind AS "actorKind", actor_id AS "actorId", code_challenge AS "codeChallenge",
            sealed_code AS "sealedCode"
          FROM store_parked_codes
          WHERE organization_id = ${organization.id} AND digest = ${digest} AND expires_at > ${stamp(now)}
            AND store_connection_id = ${storeConnectionId} AND code_challenge = ${codeChallenge}
            AND actor_kind = ${actor.kind} AND actor_id = ${actor.id}
          FOR UPDATE`
        if (row === undefined) return { kind: "unknown" } satisfies StoreCodeReservation
        const { provider, shopDomain } = row
        yield* sql`SELECT FROM pg_advisory_xact_lock(${advisoryKey(sql, "shop", `${provider} ${shopDomain}`)})`
        // A separate statement: its snapshot must be younger than the lock.
        const running = yield* aboveTenants(sql`
          SELECT 1 FROM store_parked_codes WHERE provider = ${provider} AND shop_domain = ${shopDomain}
            AND reserved_until > ${stamp(now)} LIMIT 1`)
        if (running.length > 0) return { kind: "in_progress" } satisfies StoreCodeReservation
        yield* sql`
          UPDATE store_parked_codes SET reserved_until = ${stamp(until)}
          WHERE organization_id = ${organization.id} AND digest = ${digest}`
        const code = { ...parkedOf(row), digest, reservedUntil: until }
        return { kind: "reserved", code } satisfies StoreCodeReservation
      }),
      release: Effect.fnUntraced(function* (organization, { digest, reservedUntil }) {
        yield* sql`
          UPDATE store_parked_codes SET reserved_until = NULL
          WHERE organization_id = ${organization.id} AND digest = ${digest} AND reserved_until = ${stamp(reservedUntil)}`
      }),
      spend: Effect.fnUntraced(function* (organization, { digest, reservedUntil }) {
        const spent = yield* sql`
          DELETE FROM store_parked_codes
          WHERE organization_id = ${organization.id} AND digest = ${digest} AND reserved_until = ${stamp(reservedUntil)}
          RETURNING 1`
        return spent.length > 0
      }),
      sweep: Effect.fnUntraced(function* (organization) {
        const now = yield* DateTime.now
        const states = yield* sweepTable(organization, "store_authorizations", DateTime.subtract(now, { days: 1 }))
        return (
          states +
          (yield* sweepTable(
            organization,
            "store_parked_codes",
            now,
            sql`AND (reserved_until IS NULL OR reserved_until <= ${stamp(now)})`
          ))
        )
      })
    })
  })
)
