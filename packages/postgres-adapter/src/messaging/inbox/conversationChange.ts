import type { OrganizationId } from "@parley/domain/kernel"
import type { Conversation } from "@parley/domain/messaging"
import { PgTypes } from "@effect/sql-pg"
import type { SqlClient } from "effect/sql"
import {
  conversationColumns,
  conversationRecord,
  conversationRecordOf,
  type ConversationRow
} from "./conversationRow.ts"
import { resolvedTally } from "./resolvedTally.ts"

/** Conversations as rows `s` of a statement. */
export const conversationRecordset = (sql: SqlClient.SqlClient) => (conversations: ReadonlyArray<Conversation>) =>
  sql`json_to_recordset(${PgTypes.json(conversations.map(conversationRecordOf))}) AS s (${sql.literal(conversationRecord)})`

/** Stores locked conversations and increments their versions. A new episode moves the previous one to the past episodes. */
export const conversationChange = (sql: SqlClient.SqlClient) => {
  const columns = sql.literal(conversationColumns)
  const recordset = conversationRecordset(sql)

  return (organizationId: OrganizationId, conversations: ReadonlyArray<Conversation>) => sql<ConversationRow>`
      WITH input AS MATERIALIZED (SELECT * FROM ${recordset(conversations)}),
      ${resolvedTally(
        sql,
        organizationId,
        sql`SELECT coalesce(sum((s.status = 'resolved')::integer - (c.status = 'resolved')::integer), 0)::integer AS by
          FROM input AS s JOIN conversations AS c ON c.organization_id = ${organizationId} AND c.id = s.id`
      )},
      past AS (
        INSERT INTO conversation_episodes (organization_id, conversation_id, episode, started_at, resolved_at, resolver_kind, resolver_id)
        SELECT ${organizationId}::uuid, c.id, c.episode, c.episode_started_at, c.episode_resolved_at,
          c.episode_resolver_kind, c.episode_resolver_id
        FROM input AS s JOIN conversations AS c ON c.organization_id = ${organizationId} AND c.id = s.id
        WHERE c.episode < s.episode
      )
      UPDATE conversations AS c SET contact_id = s.contact_id, chat_account_id = s.chat_account_id, status = s.status,
        priority = s.priority, assignee_id = s.assignee_id, snoozed_until = s.snoozed_until, labels = s.labels,
        inbound_count = s.inbound_count, read_count = s.read_count, last_message = s.last_message,
        last_inbound_at = s.last_inbound_at, window_expires_at = s.window_expires_at, resolved_at = s.resolved_at,
        last_activity_at = s.last_activity_at, updated_at = s.updated_at, recipient = s.recipient,
        recipient_at = s.recipient_at, other_windows = s.other_windows,
        waiting_since = s.waiting_since, first_replied_at = s.first_replied_at, first_reply_id = s.first_reply_id,
        wait_number = s.wait_number, episode = s.episode, episode_started_at = s.episode_started_at,
        episode_resolved_at = s.episode_resolved_at, episode_resolver_kind = s.episode_resolver_kind,
        episode_resolver_id = s.episode_resolver_id, version = c.version + 1
      FROM input AS s WHERE c.organization_id = ${organizationId} AND c.id = s.id
      RETURNING ${columns}`
}
