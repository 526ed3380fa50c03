import type { OrganizationId } from "@parley/domain/kernel"
import type { Conversation, ContactAccountPair, ReceiptTarget, ConversationWait } from "@parley/domain/messaging"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import {
  conversationColumns,
  conversationOf,
  type ConversationRow,
  waitingColumns,
  waitingOf,
  type WaitingRow
} from "./conversationRow.ts"

/** Senders whose messages end waits. Only their conversations must be known. */
const answering = ["user", "operator", "phone_app", "token"]

interface Involved {
  readonly latest: ReadonlyArray<Conversation>
  readonly waiting: ReadonlyArray<ConversationWait>
}

/** Locks the latest conversation of each pair, and the conversations of answers with receipts, in the global lock order. */
export const involvedConversations = (sql: SqlClient.SqlClient) => {
  const columns = sql.literal(conversationColumns)

  const latestOf = (organizationId: OrganizationId, pairs: ReadonlyArray<ContactAccountPair>) => sql`
    SELECT latest.id FROM unnest(${pairs.map(({ contactId }) => contactId)}::uuid[],
      ${pairs.map(({ chatAccountId }) => chatAccountId)}::uuid[]) AS pair (contact_id, chat_account_id)
    CROSS JOIN LATERAL (
      SELECT l.id FROM conversations AS l WHERE l.organization_id = ${organizationId}
        AND l.contact_id = pair.contact_id AND l.chat_account_id = pair.chat_account_id
      ORDER BY l.status <> 'resolved' DESC, l.resolved_at DESC NULLS LAST, l.id DESC LIMIT 1
    ) AS latest`

  const receiptedOf = (organizationId: OrganizationId, receipted: ReadonlyArray<ReceiptTarget>) => sql`
    SELECT m.conversation_id AS id FROM messages AS m
    WHERE m.organization_id = ${organizationId} AND m.author_kind = ANY(${answering}::text[])
      AND m.id = ANY(${receipted.flatMap(({ reference }) => reference ?? [])}::uuid[])
    UNION
    SELECT m.conversation_id FROM unnest(${receipted.map(({ chatAccountId }) => chatAccountId)}::uuid[],
      ${receipted.map(({ providerMessageId }) => providerMessageId)}::text[]) AS input (chat_account_id, provider_message_id)
    JOIN messages AS m ON m.organization_id = ${organizationId} AND m.chat_account_id = input.chat_account_id
      AND m.provider_message_id = input.provider_message_id
    WHERE m.author_kind = ANY(${answering}::text[])`

  return Effect.fnUntraced(function* (
    organizationId: OrganizationId,
    pairs: ReadonlyArray<ContactAccountPair>,
    receipted: ReadonlyArray<ReceiptTarget>
  ) {
    if (pairs.length === 0 && receipted.length === 0) return { latest: [], waiting: [] } satisfies Involved
    if (pairs.length > 0) {
      // Without a conversation, the contact is locked instead, in the global lock order.
      yield* sql`
        SELECT FROM contacts
        WHERE organization_id = ${organizationId} AND id = ANY(${pairs.map(({ contactId }) => contactId)}::uuid[])
        ORDER BY id FOR NO KEY UPDATE`
    }
    // A separate statement: it must see the changes of the previous lock holders.
    if (receipted.length === 0) {
      const rows = yield* sql<ConversationRow>`
        SELECT ${columns} FROM conversations AS c
        WHERE c.organization_id = ${organizationId} AND c.id = ANY(ARRAY(${latestOf(organizationId, pairs)}))
        ORDER BY c.id FOR UPDATE`
      return { latest: rows.map(conversationOf), waiting: [] } satisfies Involved
    }
    // For hundreds of conversations with receipts, the wait suffices. Only the others, which are locked by then, are read completely.
    const rows = yield* sql<WaitingRow & { readonly isLatest: boolean }>`
      WITH latest AS MATERIALIZED (${latestOf(organizationId, pairs)})
      SELECT ${sql.literal(waitingColumns)}, EXISTS (SELECT FROM latest WHERE latest.id = c.id) AS "isLatest"
      FROM conversations AS c
      WHERE c.organization_id = ${organizationId} AND c.id = ANY(ARRAY(
        SELECT id FROM latest UNION ${receiptedOf(organizationId, receipted)}
      )) ORDER BY c.id FOR UPDATE`
    const ids = rows.flatMap(({ id, isLatest }) => (isLatest ? [id] : []))
    const latest =
      ids.length === 0
        ? []
        : yield* sql<ConversationRow>`
            SELECT ${columns} FROM conversations AS c
            WHERE c.organization_id = ${organizationId} AND c.id = ANY(${ids}::uuid[]) ORDER BY c.id`
    return {
      latest: latest.map(conversationOf),
      waiting: rows.filter(({ isLatest }) => !isLatest).map(waitingOf)
    } satisfies Involved
  })
}
