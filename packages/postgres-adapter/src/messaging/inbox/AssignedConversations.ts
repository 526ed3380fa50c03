import { AssignedConversations, type ConversationId } from "@parley/domain/messaging"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { stamp } from "../../kernel/columns.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"

export const layer = Layer.effect(
  AssignedConversations,
  Effect.map(SqlClient.SqlClient, (sql) =>
    tenantPort(AssignedConversations, {
      release: Effect.fnUntraced(function* (organization, userId, now) {
        // Locked in the global lock order.
        const released = yield* sql<{ readonly id: ConversationId }>`
          WITH locked AS MATERIALIZED (
            SELECT id FROM conversations WHERE organization_id = ${organization.id} AND assignee_id = ${userId}
            ORDER BY id FOR UPDATE
          )
          UPDATE conversations AS c SET assignee_id = NULL, updated_at = ${stamp(now)}, version = c.version + 1
          FROM locked WHERE c.organization_id = ${organization.id} AND c.id = locked.id RETURNING c.id`
        return released.map(({ id }) => id)
      })
    })
  )
)
