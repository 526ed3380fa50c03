import { personAuthorKinds } from "@parley/domain/messaging"
import { AwayReplies } from "@parley/domain/automation"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Instant, stamp, utcOrNull } from "../../kernel/columns.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"

export const layer = Layer.effect(
  AwayReplies,
  Effect.map(SqlClient.SqlClient, (sql) =>
    tenantPort(AwayReplies, {
      last: Effect.fnUntraced(function* (organization, contactId, scheduleId) {
        const [row] = yield* sql<{ readonly at: Instant | null }>`
          SELECT max(r.at) AS at FROM conversations AS c
          JOIN away_replies AS r ON r.organization_id = ${organization.id} AND r.conversation_id = c.id
          WHERE c.organization_id = ${organization.id} AND c.contact_id = ${contactId} AND r.schedule_id = ${scheduleId}`
        return utcOrNull(row?.at ?? null)
      }),
      hasWritten: Effect.fnUntraced(function* (organization, contactId, since) {
        const found = yield* sql`
          SELECT 1 FROM conversations AS c
          JOIN messages AS m ON m.organization_id = ${organization.id} AND m.conversation_id = c.id
          WHERE c.organization_id = ${organization.id} AND c.contact_id = ${contactId} AND m.at > ${stamp(since)}
            AND m.author_kind = ANY(${[...personAuthorKinds]}::text[])
          LIMIT 1`
        return found.length > 0
      }),
      put: Effect.fnUntraced(function* (organization, conversationId, scheduleId, at) {
        yield* sql`
          INSERT INTO away_replies (organization_id, conversation_id, schedule_id, at)
          VALUES (${organization.id}, ${conversationId}, ${scheduleId}, ${stamp(at)})
          ON CONFLICT (organization_id, conversation_id, schedule_id) DO UPDATE SET at = excluded.at`
      })
    })
  )
)
