import { CurrentOrganization, QueuedSends, sendTaskName } from "@parley/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Notifications } from "../../platform/events/Notifications.ts"
import { stamp } from "../../kernel/columns.ts"
import { driverFailuresDie } from "../../kernel/defects.ts"
import { putIntoLane } from "../../platform/background/openLanes.ts"

export const layer = Layer.effect(
  QueuedSends,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const put = putIntoLane(sql, yield* Notifications)

    return QueuedSends.of({
      enqueue: Effect.fnUntraced(function* ({ chatAccountId, conversationId, messageId, now, priority }) {
        const { id: organizationId } = yield* CurrentOrganization
        const send = sql`
          INSERT INTO sends (organization_id, message_id, conversation_id, chat_account_id, runnable_at)
          VALUES (${organizationId}, ${messageId}, ${conversationId}, ${chatAccountId}, ${stamp(now)})
          ON CONFLICT (organization_id, message_id) DO UPDATE SET place = excluded.place,
            runnable_at = excluded.runnable_at, attempts = 0, has_begun = false, revision = sends.revision + 1`
        yield* put({ work: sendTaskName, organizationId, key: chatAccountId, priority, dueAt: now }, send)
      }, driverFailuresDie)
    })
  })
)
