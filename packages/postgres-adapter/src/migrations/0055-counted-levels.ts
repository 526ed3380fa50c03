import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { countAnew } from "./countAnew.ts"

/**
 * How many conversations are open, and in how many somebody waits, is added up from the log. What was told before it told that gets to tell
 * it: over which account conversations are held, which of them were resolved from the beginning, and who waits now. Those that were deleted
 * while they were open are taken out.
 */
export const countedLevels = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    CREATE TEMPORARY TABLE known_moves ON COMMIT DROP AS
    SELECT e.organization_id, e.position, e.type, e.at, (e.data ->> 'conversationId')::uuid AS conversation_id,
      e.data ->> 'from' AS moved_from, e.data ->> 'to' AS moved_to
    FROM events AS e WHERE e.type IN ('conversation.opened', 'conversation.status_changed')`
  yield* sql`
    UPDATE events AS e SET data = e.data || jsonb_build_object('chatAccountId', c.chat_account_id)
    FROM known_moves AS k JOIN conversations AS c ON c.organization_id = k.organization_id AND c.id = k.conversation_id
    WHERE e.organization_id = k.organization_id AND e.position = k.position`
  yield* sql`
    UPDATE events AS e SET data = e.data || '{"status": "resolved"}'::jsonb
    FROM (
      SELECT k.*, lead(k.moved_from) OVER (PARTITION BY k.organization_id, k.conversation_id ORDER BY k.position) AS next_from
      FROM known_moves AS k
    ) AS k LEFT JOIN conversations AS c ON c.organization_id = k.organization_id AND c.id = k.conversation_id
    WHERE e.organization_id = k.organization_id AND e.position = k.position AND k.type = 'conversation.opened'
      AND (k.next_from = 'resolved' OR (k.next_from IS NULL AND c.status = 'resolved'))`
  yield* sql`
    INSERT INTO analytics_erased AS a (organization_id, scope, figure, quarter, step, amount)
    SELECT organization_id, '00000000-0000-0000-0000-000000000000', 'conversations.open',
      floor(extract(epoch FROM at) / 900)::integer, 0, -count(*)
    FROM (
      SELECT DISTINCT ON (k.organization_id, k.conversation_id) k.* FROM known_moves AS k
      WHERE NOT EXISTS (
        SELECT FROM conversations AS c WHERE c.organization_id = k.organization_id AND c.id = k.conversation_id)
      ORDER BY k.organization_id, k.conversation_id, k.position DESC
    ) AS last_moves
    WHERE coalesce(moved_to, 'open') = 'open'
    GROUP BY organization_id, 4
    ON CONFLICT (organization_id, scope, figure, quarter, step) DO UPDATE SET amount = a.amount + EXCLUDED.amount`
  yield* sql`
    UPDATE events AS e SET data = e.data || jsonb_build_object('awaits', 'begins', 'chatAccountId', w.chat_account_id)
    FROM (
      SELECT DISTINCT ON (c.organization_id, c.id) c.organization_id, c.chat_account_id, t.position
      FROM conversations AS c
      JOIN events AS t ON t.organization_id = c.organization_id AND t.type = 'message.received'
        AND t.data ->> 'conversationId' = c.id::text
      LEFT JOIN messages AS m ON m.organization_id = c.organization_id AND m.id = (t.data ->> 'messageId')::uuid
      WHERE c.waiting_since IS NOT NULL
      ORDER BY c.organization_id, c.id, (m.at IS NOT NULL AND m.at >= c.waiting_since) DESC, t.position
    ) AS w
    WHERE e.organization_id = w.organization_id AND e.position = w.position`
  yield* countAnew
})
