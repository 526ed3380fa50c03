import { FileSweep } from "@parley/domain"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { stamp } from "../kernel/columns.ts"
import { driverFailuresDie } from "../kernel/defects.ts"
import { sweepInBatches } from "../kernel/sweepInBatches.ts"

const chunksAtOnce = 200

export const layer = Layer.effect(
  FileSweep,
  Effect.map(SqlClient.SqlClient, (sql) =>
    FileSweep.of({
      sweep: Effect.gen(function* () {
        const before = DateTime.subtract(yield* DateTime.now, { days: 1 })
        // Marked first, so that a write that is still under way cannot complete without its first chunks.
        yield* sweepInBatches(
          (most) => sql`
            UPDATE files SET state = 'removed' WHERE (organization_id, id) IN (
              SELECT organization_id, id FROM files WHERE state = 'uploading' AND begun_at <= ${stamp(before)}
              LIMIT ${most} FOR UPDATE SKIP LOCKED
            ) RETURNING 1`
        )
        yield* sweepInBatches(
          (most) => sql`
            DELETE FROM file_chunks WHERE (organization_id, file_id, number) IN (
              SELECT c.organization_id, c.file_id, c.number FROM file_chunks AS c
              JOIN files AS f ON f.organization_id = c.organization_id AND f.id = c.file_id
              WHERE f.state = 'removed' LIMIT ${most} FOR UPDATE OF c SKIP LOCKED
            ) RETURNING 1`,
          chunksAtOnce
        )
        return yield* sweepInBatches(
          (most) => sql`
            DELETE FROM files WHERE (organization_id, id) IN (
              SELECT organization_id, id FROM files AS f WHERE state = 'removed' AND NOT EXISTS (
                SELECT FROM file_chunks AS c WHERE c.organization_id = f.organization_id AND c.file_id = f.id
              ) LIMIT ${most} FOR UPDATE SKIP LOCKED
            ) RETURNING 1`
        )
      }).pipe(driverFailuresDie)
    })
  )
)
