import { OneTimeCodes } from "@parley/domain/messaging"
import { DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { stamp } from "../../kernel/columns.ts"
import { isAmong } from "../../kernel/isOneOf.ts"
import { sweepInBatches } from "../../kernel/sweepInBatches.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"

export const layer = Layer.effect(
  OneTimeCodes,
  Effect.map(SqlClient.SqlClient, (sql) =>
    tenantPort(OneTimeCodes, {
      insert: ({ id }, { expiresAt, messageId, sealed }) => sql`
        INSERT INTO message_codes (organization_id, message_id, sealed_code, expires_at)
        VALUES (${id}, ${messageId}, ${sealed}, ${stamp(expiresAt)})`,
      find: ({ id }, messageId) =>
        Effect.map(
          sql<{ readonly sealed: string }>`
            SELECT sealed_code AS sealed FROM message_codes WHERE organization_id = ${id} AND message_id = ${messageId}`,
          ([row]) => row?.sealed ?? null
        ),
      erase: ({ id }, ids) =>
        sql`DELETE FROM message_codes WHERE organization_id = ${id} AND ${isAmong(sql, "message_id", ids)}`,
      sweep: Effect.fnUntraced(function* ({ id }) {
        const now = stamp(yield* DateTime.now)
        return yield* sweepInBatches(
          (most) => sql`
            DELETE FROM message_codes WHERE organization_id = ${id} AND message_id IN (
              SELECT c.message_id FROM message_codes AS c
              WHERE c.organization_id = ${id} AND c.expires_at <= ${now} AND NOT EXISTS (
                SELECT FROM send_queue AS s WHERE s.organization_id = c.organization_id AND s.message_id = c.message_id
              )
              LIMIT ${most} FOR UPDATE OF c SKIP LOCKED
            ) RETURNING 1`
        )
      })
    })
  )
)
