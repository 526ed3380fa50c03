import { type ConversationId, CurrentOrganization, SnoozeTimers } from "@parley/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, stamp, utcOrNull } from "../../kernel/columns.ts"
import { driverFailuresDie } from "../../kernel/defects.ts"

export const layer = Layer.effect(
  SnoozeTimers,
  Effect.map(SqlClient.SqlClient, (sql) =>
    SnoozeTimers.of({
      due: Effect.fnUntraced(function* (now, limit) {
        const organization = yield* CurrentOrganization
        const rows = yield* sql<{ readonly id: ConversationId }>`
          SELECT id FROM conversations
          WHERE organization_id = ${organization.id} AND status = 'snoozed' AND snoozed_until <= ${stamp(now)}
          ORDER BY snoozed_until, id LIMIT ${limit}`
        return rows.map(({ id }) => id)
      }, driverFailuresDie),
      nextDue: Effect.fnUntraced(function* () {
        const organization = yield* CurrentOrganization
        const [row] = yield* sql<{ readonly dueAt: Instant | null }>`
          SELECT min(snoozed_until) AS "dueAt" FROM conversations
          WHERE organization_id = ${organization.id} AND status = 'snoozed'`
        return utcOrNull(row?.dueAt ?? null)
      }, driverFailuresDie)
    })
  )
)
