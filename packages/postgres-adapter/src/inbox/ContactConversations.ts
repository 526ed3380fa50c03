import {
  type ChatAccountId,
  ContactConversations,
  type ContactId,
  type ConversationId,
  type ConversationStatus,
  CurrentOrganization,
  type FileId
} from "@parley/domain"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { stamp } from "../kernel/columns.ts"
import { driverFailuresDie } from "../kernel/defects.ts"
import { tallying } from "./tallying.ts"

interface Candidate {
  readonly id: ConversationId
  readonly contactId: ContactId
  readonly chatAccountId: ChatAccountId
  readonly status: ConversationStatus
}

/** Of the unresolved ones over one account, all but the last: they come with the idlest first. */
const clashing = (candidates: ReadonlyArray<Candidate>): ReadonlyArray<Candidate> => {
  const unresolved = candidates.filter(({ status }) => status !== "resolved")
  return [...Map.groupBy(unresolved, ({ chatAccountId }) => chatAccountId).values()].flatMap((each) =>
    each.slice(0, -1)
  )
}

export const layer = Layer.effect(
  ContactConversations,
  Effect.map(SqlClient.SqlClient, (sql) =>
    ContactConversations.of({
      handOver: Effect.fnUntraced(function* (from, to, mergeId, now) {
        const organization = yield* CurrentOrganization
        // Locked in the order in which everybody locks them, and then sorted.
        const candidates = yield* sql<Candidate>`
          WITH locked AS MATERIALIZED (
            SELECT id, contact_id, chat_account_id, status, last_activity_at FROM conversations
            WHERE organization_id = ${organization.id} AND contact_id = ANY(${[from, to]}::uuid[])
            ORDER BY id FOR UPDATE
          )
          SELECT id, contact_id AS "contactId", chat_account_id AS "chatAccountId", status FROM locked
          ORDER BY last_activity_at, id`
        const clashes = clashing(candidates)
        const resolved = clashes.map(({ id }) => id)
        if (resolved.length > 0) {
          yield* sql`
            WITH ${tallying(sql, organization.id, sql`SELECT ${resolved.length}::integer AS by`)}
            UPDATE conversations SET status = 'resolved', snoozed_until = NULL, resolved_at = ${stamp(now)},
              updated_at = ${stamp(now)}, version = version + 1
            WHERE organization_id = ${organization.id} AND id = ANY(${resolved}::uuid[])`
        }
        yield* sql`
          UPDATE conversations SET contact_id = ${to}, handed_by = handed_by || ${mergeId}::uuid,
            updated_at = ${stamp(now)},
            version = CASE WHEN id = ANY(${resolved}::uuid[]) THEN version ELSE version + 1 END
          WHERE organization_id = ${organization.id} AND contact_id = ${from}`
        return clashes.map(({ id, status }) => ({ conversationId: id, from: status }))
      }, driverFailuresDie),
      handBack: Effect.fnUntraced(function* (mergeId, to, now) {
        const organization = yield* CurrentOrganization
        yield* sql`
          UPDATE conversations SET contact_id = ${to}, updated_at = ${stamp(now)}, version = version + 1,
            handed_by = handed_by[:array_position(handed_by, ${mergeId}::uuid) - 1]
          WHERE organization_id = ${organization.id} AND handed_by @> ARRAY[${mergeId}]::uuid[] AND handed_by <> '{}'`
      }, driverFailuresDie),
      forget: Effect.fnUntraced(function* (contactIds) {
        if (contactIds.length === 0) return []
        const organization = yield* CurrentOrganization
        const rows = yield* sql<{ readonly fileId: FileId }>`
          WITH locked AS MATERIALIZED (
            SELECT id, status FROM conversations
            WHERE organization_id = ${organization.id} AND contact_id = ANY(${Array.from(contactIds)}::uuid[])
            ORDER BY id FOR UPDATE
          ),
          ${tallying(sql, organization.id, sql`SELECT -count(*)::integer AS by FROM locked WHERE status = 'resolved'`)},
          held AS MATERIALIZED (
            SELECT DISTINCT m.media_id AS id FROM locked JOIN messages AS m
              ON m.organization_id = ${organization.id} AND m.conversation_id = locked.id
            WHERE m.media_id IS NOT NULL
          ),
          gone AS (
            DELETE FROM conversations AS c USING locked WHERE c.organization_id = ${organization.id} AND c.id = locked.id
          ),
          orphaned AS (
            DELETE FROM media USING held WHERE media.organization_id = ${organization.id} AND media.id = held.id
              AND NOT EXISTS (
                SELECT FROM messages AS m WHERE m.organization_id = ${organization.id} AND m.media_id = held.id
                  AND m.conversation_id NOT IN (SELECT locked.id FROM locked))
            RETURNING file_id
          )
          SELECT file_id AS "fileId" FROM orphaned WHERE file_id IS NOT NULL`
        return rows.map(({ fileId }) => fileId)
      }, driverFailuresDie)
    })
  )
)
