import { MediaSweep } from "@parley/domain/messaging"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { stamp } from "../../kernel/columns.ts"
import { sweepInBatches } from "../../kernel/sweepInBatches.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"

export const layer = Layer.effect(
  MediaSweep,
  Effect.map(SqlClient.SqlClient, (sql) =>
    tenantPort(MediaSweep, {
      sweep: Effect.fnUntraced(function* (organization) {
        const before = stamp(DateTime.subtract(yield* DateTime.now, { days: 7 }))
        // Media that is about to be sent is locked and skipped.
        return yield* sweepInBatches(
          (most) => sql`
            WITH nobodys AS MATERIALIZED (
              SELECT id, file_id FROM media
              WHERE organization_id = ${organization.id} AND NOT is_used AND created_at <= ${before}
              LIMIT ${most} FOR UPDATE SKIP LOCKED
            ), removed AS (
              UPDATE files AS f SET state = 'removed' FROM nobodys AS n
              WHERE f.organization_id = ${organization.id} AND f.id = n.file_id
            )
            DELETE FROM media AS m USING nobodys AS n
            WHERE m.organization_id = ${organization.id} AND m.id = n.id RETURNING 1`
        )
      })
    })
  )
)
