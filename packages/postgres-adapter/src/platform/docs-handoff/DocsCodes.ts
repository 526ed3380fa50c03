import { DocsCodes } from "@parley/domain/platform"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { stamp } from "../../kernel/columns.ts"
import { sweepInBatches } from "../../kernel/sweepInBatches.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"

export const layer = Layer.effect(
  DocsCodes,
  Effect.map(SqlClient.SqlClient, (sql) =>
    tenantPort(DocsCodes, {
      insert: Effect.fnUntraced(function* (organization, digest, { sessionId, userId }, expiresAt) {
        yield* sql`
          INSERT INTO docs_codes (organization_id, digest, user_id, session_id, expires_at)
          VALUES (${organization.id}, ${digest}, ${userId}, ${sessionId}, ${stamp(expiresAt)})`
      }),
      sweep: Effect.fnUntraced(function* (organization) {
        const before = DateTime.subtract(yield* DateTime.now, { days: 1 })
        return yield* sweepInBatches(
          (most) => sql`
            WITH old AS MATERIALIZED (
              SELECT digest FROM docs_codes WHERE organization_id = ${organization.id} AND expires_at <= ${stamp(before)}
              LIMIT ${most} FOR UPDATE SKIP LOCKED
            )
            DELETE FROM docs_codes AS t USING old
            WHERE t.organization_id = ${organization.id} AND t.digest = old.digest RETURNING 1`
        )
      })
    })
  )
)
