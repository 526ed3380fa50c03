import { Suppressions } from "@parley/domain/crm"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, utc } from "../kernel/columns.ts"
import { type Organization, tenantPort } from "../kernel/tenantPort.ts"
import { suppressionKeyOf } from "./suppressionKeyOf.ts"

export const layer = Layer.effect(
  Suppressions,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const key = ({ id }: Organization) => suppressionKeyOf(sql, id)

    return tenantPort(Suppressions, {
      key,
      keepKey: Effect.fnUntraced(function* (organization, sealed) {
        yield* sql`
          INSERT INTO suppression_keys (organization_id, sealed_key) VALUES (${organization.id}, ${sealed})
          ON CONFLICT DO NOTHING`
        return (yield* key(organization)) ?? sealed
      }),
      resealKey: Effect.fnUntraced(function* (organization, sealed) {
        yield* sql`UPDATE suppression_keys SET sealed_key = ${sealed} WHERE organization_id = ${organization.id}`
      }),
      find: Effect.fnUntraced(function* (organization, digests) {
        if (digests.length === 0) return []
        const rows = yield* sql<{ readonly digest: string; readonly at: Instant }>`
          SELECT digest, at FROM suppressions
          WHERE organization_id = ${organization.id} AND digest = ANY(${Array.from(digests)}::text[])`
        return rows.map(({ at, digest }) => ({ digest, at: utc(at) }))
      }),
      add: Effect.fnUntraced(function* (organization, suppressions) {
        if (suppressions.length === 0) return
        const times = suppressions.map(({ at }) => DateTime.formatIso(at))
        // Rows are inserted in one order to prevent deadlocks.
        yield* sql`
          INSERT INTO suppressions AS s (organization_id, digest, at)
          SELECT ${organization.id}::uuid, digest, max(at)
          FROM unnest(${suppressions.map(({ digest }) => digest)}::text[], ${times}::timestamptz[]) AS given (digest, at)
          GROUP BY digest ORDER BY digest COLLATE "C"
          ON CONFLICT (organization_id, digest) DO UPDATE SET at = GREATEST(s.at, EXCLUDED.at)`
      }),
      remove: Effect.fnUntraced(function* (organization, digests) {
        if (digests.length === 0) return
        yield* sql`
          DELETE FROM suppressions
          WHERE organization_id = ${organization.id} AND digest = ANY(${Array.from(digests)}::text[])`
      })
    })
  })
)
