import { type ConversationId, type OrganizationId, SnoozeClock } from "@parley/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { stamp } from "../kernel/columns.ts"
import { driverFailuresDie } from "../kernel/defects.ts"

export const layer = Layer.effect(
  SnoozeClock,
  Effect.map(SqlClient.SqlClient, (sql) =>
    SnoozeClock.of({
      due: Effect.fnUntraced(function* (now, limit) {
        return yield* sql<{ readonly organizationId: OrganizationId; readonly id: ConversationId }>`
          SELECT organization_id AS "organizationId", id FROM conversations
          WHERE status = 'snoozed' AND snoozed_until <= ${stamp(now)}
          ORDER BY snoozed_until, organization_id, id LIMIT ${limit}`
      }, driverFailuresDie)
    })
  )
)
