import { type BroadcastId, ExpiredRecipients } from "@parley/domain/campaigns"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { stamp } from "../kernel/columns.ts"
import { tenantPort } from "../kernel/tenantPort.ts"

export const layer = Layer.effect(
  ExpiredRecipients,
  Effect.map(SqlClient.SqlClient, (sql) =>
    tenantPort(ExpiredRecipients, {
      find: Effect.fnUntraced(function* (organization, now, limit) {
        const rows = yield* sql<{ readonly id: BroadcastId }>`
          SELECT id FROM broadcasts
          WHERE organization_id = ${organization.id} AND recipients_kept_until <= ${stamp(now)}
            AND recipients_deleted_at IS NULL
          ORDER BY recipients_kept_until, id LIMIT ${limit}`
        return rows.map(({ id }) => id)
      }),
      remove: Effect.fnUntraced(function* (organization, id, limit) {
        const removed = yield* sql`
          DELETE FROM broadcast_recipients
          WHERE organization_id = ${organization.id} AND broadcast_id = ${id} AND seq IN (
            SELECT r.seq FROM broadcast_recipients AS r
            WHERE r.organization_id = ${organization.id} AND r.broadcast_id = ${id} ORDER BY r.seq LIMIT ${limit})
          RETURNING 1`
        return removed.length
      }),
      close: Effect.fnUntraced(function* (organization, id, now) {
        yield* sql`
          DELETE FROM broadcast_claims WHERE organization_id = ${organization.id} AND broadcast_id = ${id}`
        yield* sql`
          DELETE FROM broadcast_counts WHERE organization_id = ${organization.id} AND broadcast_id = ${id}`
        yield* sql`
          UPDATE broadcasts SET recipients_deleted_at = ${stamp(now)}
          WHERE organization_id = ${organization.id} AND id = ${id}`
      })
    })
  )
)
