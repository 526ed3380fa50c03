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
      enqueue: Effect.fnUntraced(function* ({ id: organizationId }, { chatAccountId, messages, now, priority }) {
        const ids = messages.map(({ id }) => id)
        const conversations = messages.map(({ conversationId }) => conversationId)
        // Positions follow the order of the messages.
        const send = sql`
          INSERT INTO send_queue (organization_id, message_id, conversation_id, chat_account_id, due_at)
          SELECT ${organizationId}::uuid, message_id, conversation_id, ${chatAccountId}::uuid, ${stamp(now)}::timestamptz
          FROM unnest(${ids}::uuid[], ${conversations}::uuid[]) WITH ORDINALITY AS s (message_id, conversation_id, place)
          ORDER BY place
          ON CONFLICT (organization_id, message_id) DO UPDATE SET position = excluded.position,
            due_at = excluded.due_at, attempts = 0, is_started = false, revision = send_queue.revision + 1`
        yield* put({ task: sendTaskName, organizationId, key: chatAccountId, priority, dueAt: now }, send)
      })
    })
  })
)
