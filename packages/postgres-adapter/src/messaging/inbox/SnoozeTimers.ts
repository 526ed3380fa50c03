import { type ConversationId, SnoozeTimers } from "@parley/domain/messaging"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, stamp, utcOrNull } from "../../kernel/columns.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"

export const layer = Layer.effect(
  SnoozeTimers,
  Effect.map(SqlClient.SqlClient, (sql) =>
    tenantPort(SnoozeTimers, {
      due: Effect.fnUntraced(function* (organization, now, limit) {
        const rows = yield* sql<{ readonly id: ConversationId }>`
          SELECT id FROM conversations
          WHERE organization_id = ${organization.id} AND status = 'snoozed' AND snoozed_until <= ${stamp(now)}
          ORDER BY snoozed_until, id LIMIT ${limit}`
        return rows.map(({ id }) => id)
      }),
      nextDue: Effect.fnUntraced(function* (organization) {
        const [row] = yield* sql<{ readonly dueAt: Instant | null }>`
          SELECT min(snoozed_until) AS "dueAt" FROM conversations
          WHERE organization_id = ${organization.id} AND status = 'snoozed'`
        return utcOrNull(row?.dueAt ?? null)
      })
    })
  )
)
