import { CurrentOrganization, Suppressions } from "@parley/domain"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, utc } from "../kernel/columns.ts"
import { driverFailuresDie } from "../kernel/defects.ts"
import { suppressionKeyOf } from "./suppressionKeyOf.ts"

export const layer = Layer.effect(
  Suppressions,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const key = Effect.fnUntraced(function* () {
      const organization = yield* CurrentOrganization
      return yield* suppressionKeyOf(sql, organization.id)
    }, driverFailuresDie)

    return Suppressions.of({
      key,
      keepKey: Effect.fnUntraced(function* (sealed) {
        const organization = yield* CurrentOrganization
        yield* sql`
          INSERT INTO suppression_keys (organization_id, sealed_key) VALUES (${organization.id}, ${sealed})
          ON CONFLICT DO NOTHING`
        return (yield* key()) ?? sealed
      }, driverFailuresDie),
      resealKey: Effect.fnUntraced(function* (sealed) {
        const organization = yield* CurrentOrganization
        yield* sql`UPDATE suppression_keys SET sealed_key = ${sealed} WHERE organization_id = ${organization.id}`
      }, driverFailuresDie),
      find: Effect.fnUntraced(function* (digests) {
        if (digests.length === 0) return []
        const organization = yield* CurrentOrganization
        const rows = yield* sql<{ readonly digest: string; readonly at: Instant }>`
          SELECT digest, at FROM suppressions
          WHERE organization_id = ${organization.id} AND digest = ANY(${Array.from(digests)}::text[])`
        return rows.map(({ at, digest }) => ({ digest, at: utc(at) }))
      }, driverFailuresDie),
      add: Effect.fnUntraced(function* (suppressions) {
        if (suppressions.length === 0) return
        const organization = yield* CurrentOrganization
        const times = suppressions.map(({ at }) => DateTime.formatIso(at))
        // Rows are inserted in one order to prevent deadlocks.
        yield* sql`
          INSERT INTO suppressions AS s (organization_id, digest, at)
          SELECT ${organization.id}::uuid, digest, max(at)
          FROM unnest(${suppressions.map(({ digest }) => digest)}::text[], ${times}::timestamptz[]) AS given (digest, at)
          GROUP BY digest ORDER BY digest COLLATE "C"
          ON CONFLICT (organization_id, digest) DO UPDATE SET at = GREATEST(s.at, EXCLUDED.at)`
      }, driverFailuresDie),
      remove: Effect.fnUntraced(function* (digests) {
        if (digests.length === 0) return
        const organization = yield* CurrentOrganization
        yield* sql`
          DELETE FROM suppressions
          WHERE organization_id = ${organization.id} AND digest = ANY(${Array.from(digests)}::text[])`
      }, driverFailuresDie)
    })
  })
)
