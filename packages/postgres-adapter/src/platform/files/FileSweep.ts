import { FileSweep } from "@parley/domain/platform"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { stamp } from "../../kernel/columns.ts"
import { sweepInBatches } from "../../kernel/sweepInBatches.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"

const chunksAtOnce = 200

export const layer = Layer.effect(
  FileSweep,
  Effect.map(SqlClient.SqlClient, (sql) =>
    tenantPort(FileSweep, {
      sweep: Effect.fnUntraced(function* ({ id }) {
        const before = DateTime.subtract(yield* DateTime.now, { days: 1 })
        // Marked first, so a write in progress cannot complete without its first chunks.
        yield* sweepInBatches(
          (most) => sql`
            WITH old AS MATERIALIZED (
              SELECT id FROM files WHERE organization_id = ${id} AND state = 'uploading' AND started_at <= ${stamp(before)}
              LIMIT ${most} FOR UPDATE SKIP LOCKED
            )
            UPDATE files AS t SET state = 'removed' FROM old
            WHERE t.organization_id = ${id} AND t.id = old.id RETURNING 1`
        )
        yield* sweepInBatches(
          (most) => sql`
            WITH old AS MATERIALIZED (
              SELECT c.file_id, c.number FROM file_chunks AS c
              JOIN files AS f ON f.organization_id = c.organization_id AND f.id = c.file_id
              WHERE f.organization_id = ${id} AND f.state = 'removed' LIMIT ${most} FOR UPDATE OF c SKIP LOCKED
            )
            DELETE FROM file_chunks AS t USING old
            WHERE t.organization_id = ${id} AND t.file_id = old.file_id AND t.number = old.number RETURNING 1`,
          chunksAtOnce
        )
        return yield* sweepInBatches(
          (most) => sql`
            WITH old AS MATERIALIZED (
              SELECT id FROM files AS f WHERE organization_id = ${id} AND state = 'removed' AND NOT EXISTS (
                SELECT FROM file_chunks AS c WHERE c.organization_id = f.organization_id AND c.file_id = f.id
              ) LIMIT ${most} FOR UPDATE SKIP LOCKED
            )
            DELETE FROM files AS t USING old
            WHERE t.organization_id = ${id} AND t.id = old.id RETURNING 1`
        )
      })
    })
  )
)
