import { ContactImportCleanup } from "@parley/domain/crm"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { stamp } from "../kernel/columns.ts"
import { sweepInBatches } from "../kernel/sweepInBatches.ts"
import { tenantPort } from "../kernel/tenantPort.ts"

export const layer = Layer.effect(
  ContactImportCleanup,
  Effect.map(SqlClient.SqlClient, (sql) =>
    tenantPort(ContactImportCleanup, {
      sweep: Effect.fnUntraced(function* ({ id }) {
        const now = yield* DateTime.now
        const aDayAgo = stamp(DateTime.subtract(now, { days: 1 }))
        const aMonthAgo = stamp(DateTime.subtract(now, { days: 30 }))
        const files = yield* sweepInBatches(
          (most) => sql`
            WITH over AS MATERIALIZED (
              SELECT e.file_id FROM contact_files AS e
              LEFT JOIN contact_imports AS i ON i.organization_id = e.organization_id AND i.file_id = e.file_id
              LEFT JOIN jobs AS j ON j.organization_id = i.organization_id AND j.id = i.job_id
              WHERE e.organization_id = ${id} AND CASE WHEN i.id IS NULL THEN e.expected_at <= ${aDayAgo}
                ELSE COALESCE(j.state NOT IN ('queued', 'running'), true) END
              LIMIT ${most} FOR UPDATE OF e SKIP LOCKED
            ), removed AS (
              UPDATE files AS f SET state = 'removed' FROM over AS o
              WHERE f.organization_id = ${id} AND f.id = o.file_id
            )
            DELETE FROM contact_files AS e USING over AS o
            WHERE e.organization_id = ${id} AND e.file_id = o.file_id RETURNING 1`
        )
        const faults = yield* sweepInBatches(
          (most) => sql`
            WITH old AS MATERIALIZED (
              SELECT import_id, number FROM contact_import_faults
              WHERE organization_id = ${id} AND imported_at <= ${aMonthAgo} LIMIT ${most} FOR UPDATE SKIP LOCKED
            )
            DELETE FROM contact_import_faults AS t USING old
            WHERE t.organization_id = ${id} AND t.import_id = old.import_id AND t.number = old.number RETURNING 1`
        )
        return files + faults
      })
    })
  )
)
