import { QueuedSends, sendTaskName } from "@parley/domain/messaging"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Notifications } from "../../platform/events/Notifications.ts"
import { stamp } from "../../kernel/columns.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"
import { putIntoLane } from "../../platform/background/openLanes.ts"

export const layer = Layer.effect(
  QueuedSends,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const put = putIntoLane(sql, yield* Notifications)

    return tenantPort(QueuedSends, {
      enqueue: Effect.fnUntraced(function* (
        { id: organizationId },
        { chatAccountId, conversationId, messageId, now, priority }
      ) {
        const send = sql`
          INSERT INTO send_queue (organization_id, message_id, conversation_id, chat_account_id, due_at)
          VALUES (${organizationId}, ${messageId}, ${conversationId}, ${chatAccountId}, ${stamp(now)})
          ON CONFLICT (organization_id, message_id) DO UPDATE SET position = excluded.position,
            due_at = excluded.due_at, attempts = 0, is_started = false, revision = send_queue.revision + 1`
        yield* put({ task: sendTaskName, organizationId, key: chatAccountId, priority, dueAt: now }, send)
      })
    })
  })
)
