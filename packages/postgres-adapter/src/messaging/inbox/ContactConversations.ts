import { PgTypes } from "@effect/sql-pg"
import type { FileId } from "@parley/domain/platform"
import {
  type ChatAccountId,
  ContactConversations,
  type ConversationEntry,
  type ConversationId,
  mergeAllConversations,
  type Message,
  type MessageId,
  type Note,
  type NoteId,
  undoConversationMerges,
  systemMessage
} from "@parley/domain/messaging"
import { Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { mergesBefore } from "../../crm/mergesBefore.ts"
import { type Instant, stamp, utc, utcOrNull } from "../../kernel/columns.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"
import { changesOf, conversationJoins } from "./conversationJoins.ts"
import { conversationColumns, conversationOf, type ConversationRow } from "./conversationRow.ts"
import { mediaColumns, mediaOf, type MediaRow } from "./mediaRow.ts"
import {
  authorOf,
  messageColumns,
  messageFields,
  messageOf,
  messageRecord,
  messageRecordOf,
  type MessageRow
} from "./messageRow.ts"
import { noteColumns, noteOf, type NoteRow } from "./noteRow.ts"
import { resolvedTally } from "./resolvedTally.ts"

/** A timeline entry as read. Its kind decides which columns are set. */
interface EntryRow {
  readonly kind: ConversationEntry["kind"]
  readonly at: Instant
  readonly id: string
  readonly conversationId: ConversationId
  readonly chatAccountId: ChatAccountId
  readonly direction: Message["direction"]
  readonly messageKind: Message["kind"]
  readonly text: string | null
  readonly status: Message["status"]
  readonly authorKind: string
  readonly authorId: string
  readonly authorRunId: string | null
  readonly editedAt: Instant | null
}

const entryOf = (row: EntryRow): ConversationEntry => {
  const { authorId, authorKind, chatAccountId, conversationId, direction, id, kind, messageKind, status, text } = row
  const common = { at: utc(row.at), conversationId }
  switch (kind) {
    case "conversation_opened":
      return { kind, id: conversationId, ...common, chatAccountId }
    case "message": {
      const author = authorOf({
        authorKind: authorKind as Message["author"]["kind"],
        authorId,
        authorRunId: row.authorRunId
      })
      return { kind, id: id as MessageId, ...common, direction, messageKind, text, status, author }
    }
    case "note": {
      const actor = { kind: authorKind as Note["author"]["kind"], id: authorId }
      return { kind, id: id as NoteId, ...common, actor, text: text ?? "", editedAt: utcOrNull(row.editedAt) }
    }
  }
}

export const layer = Layer.effect(
  ContactConversations,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const joining = conversationJoins(sql)

    return tenantPort(ContactConversations, {
      timeline: Effect.fnUntraced(function* (organization, contactId, { after, limit }) {
        const [at, id] = after ?? []
        const before = (time: Statement.Fragment) =>
          at === undefined || id === undefined ? sql`` : sql`AND (${time}, id) < (${at}::timestamptz, ${id}::uuid)`
        // The positions come from index-only scans. Only returned entries are read.
        const rows = yield* sql<EntryRow>`
          WITH own AS MATERIALIZED (
            SELECT id, chat_account_id, created_at AS at, status <> 'resolved' OR episode IS NOT NULL AS was_open
            FROM conversations WHERE organization_id = ${organization.id} AND contact_id = ${contactId}
          ),
          newest AS (
            (SELECT 'message' AS kind, m.at, m.id FROM own CROSS JOIN LATERAL (
              SELECT at, id FROM messages
              WHERE organization_id = ${organization.id} AND conversation_id = own.id ${before(sql`at`)}
              ORDER BY at DESC, id DESC LIMIT ${limit}
            ) AS m ORDER BY m.at DESC, m.id DESC LIMIT ${limit})
            UNION ALL
            (SELECT 'note', n.at, n.id FROM own CROSS JOIN LATERAL (
              SELECT created_at AS at, id FROM notes
              WHERE organization_id = ${organization.id} AND conversation_id = own.id ${before(sql`created_at`)}
              ORDER BY created_at DESC, id DESC LIMIT ${limit}
            ) AS n ORDER BY n.at DESC, n.id DESC LIMIT ${limit})
            UNION ALL
            (SELECT 'conversation_opened', at, id FROM own WHERE was_open ${before(sql`at`)}
            ORDER BY at DESC, id DESC LIMIT ${limit})
            ORDER BY at DESC, id DESC LIMIT ${limit}
          )
          SELECT newest.kind, newest.at, newest.id, own.chat_account_id AS "chatAccountId",
            coalesce(m.conversation_id, n.conversation_id, own.id) AS "conversationId", m.direction,
            m.kind AS "messageKind", coalesce(m.text, n.text) AS text, m.status,
            coalesce(m.author_kind, n.author_kind) AS "authorKind", coalesce(m.author_id, n.author_id) AS "authorId",
            m.author_run_id AS "authorRunId", n.edited_at AS "editedAt"
          FROM newest
          LEFT JOIN messages AS m
            ON newest.kind = 'message' AND m.organization_id = ${organization.id} AND m.id = newest.id
          LEFT JOIN notes AS n
            ON newest.kind = 'note' AND n.organization_id = ${organization.id} AND n.id = newest.id
          LEFT JOIN own ON newest.kind = 'conversation_opened' AND own.id = newest.id
          ORDER BY newest.at DESC, newest.id DESC`
        return rows.map(entryOf)
      }),
      correspondence: Effect.fnUntraced(function* (organization, contactId, limit) {
        const own = sql`SELECT id FROM conversations
          WHERE organization_id = ${organization.id} AND contact_id = ${contactId}`
        const conversations = yield* sql<ConversationRow>`
          SELECT ${sql.literal(conversationColumns)} FROM conversations AS c
          WHERE c.organization_id = ${organization.id} AND c.contact_id = ${contactId}
          ORDER BY c.created_at DESC, c.id DESC LIMIT ${limit}`
        const messages = yield* sql<MessageRow>`
          SELECT ${sql.literal(messageColumns)} FROM messages
          WHERE organization_id = ${organization.id} AND conversation_id IN (${own})
          ORDER BY at DESC, id DESC LIMIT ${limit}`
        const notes = yield* sql<NoteRow>`
          SELECT ${sql.literal(noteColumns)} FROM notes
          WHERE organization_id = ${organization.id} AND conversation_id IN (${own})
          ORDER BY created_at DESC, id DESC LIMIT ${limit}`
        const media = yield* sql<MediaRow>`
          SELECT ${sql.literal(mediaColumns)} FROM media
          WHERE organization_id = ${organization.id} AND id IN (
            SELECT media_id FROM messages
            WHERE organization_id = ${organization.id} AND conversation_id IN (${own}) AND media_id IS NOT NULL)
          ORDER BY created_at DESC, id DESC LIMIT ${limit}`
        return {
          conversations: conversations.map(conversationOf),
          messages: messages.map(messageOf),
          notes: notes.map(noteOf),
          media: media.map(mediaOf)
        }
      }),
      handOver: Effect.fnUntraced(function* (organization, from, to, mergeId, now) {
        // Locks all in the global lock order.
        yield* sql`
          SELECT FROM conversations WHERE organization_id = ${organization.id} AND contact_id = ANY(${[from, to]}::uuid[])
          ORDER BY id FOR UPDATE`
        const rows = yield* sql<ConversationRow>`
          SELECT ${sql.literal(conversationColumns)} FROM conversations AS c
          WHERE c.organization_id = ${organization.id} AND c.contact_id = ANY(${[from, to]}::uuid[])
            AND c.status <> 'resolved'`
        const joins = mergeAllConversations(rows.map(conversationOf), mergeId, now)
        const changes = changesOf(joins)
        yield* joining.change(organization.id, changes)
        yield* joining.keep(organization.id, joins)
        yield* sql`
          UPDATE conversations SET contact_id = ${to}, transferred_by = transferred_by || ${mergeId}::uuid,
            updated_at = ${stamp(now)},
            version = CASE WHEN id = ANY(${changes.map(({ after }) => after.id)}::uuid[]) THEN version ELSE version + 1 END
          WHERE organization_id = ${organization.id} AND contact_id = ${from}`
        return changes
      }),
      handBack: Effect.fnUntraced(function* (organization, { from, later, mergeId, to }, now) {
        yield* sql`
          SELECT FROM conversations WHERE organization_id = ${organization.id} AND contact_id = ${from}
          ORDER BY id FOR UPDATE`
        const joins = yield* joining.ofMerges(organization.id, [mergeId, ...later])
        const ids = joins.flatMap(({ before }) => [before.kept.id, before.other.id])
        const rows = yield* sql<ConversationRow & { readonly isLeaving: boolean }>`
          SELECT ${sql.literal(conversationColumns)}, c.transferred_by @> ARRAY[${mergeId}]::uuid[] AS "isLeaving"
          FROM conversations AS c WHERE c.organization_id = ${organization.id} AND c.contact_id = ${from}
            AND (c.status <> 'resolved' OR c.id = ANY(${ids}::uuid[]))`
        const leaving = new Set(rows.filter(({ isLeaving }) => isLeaving).map(({ id }) => id))
        const conversations = rows.map(conversationOf)
        const undone = undoConversationMerges({ undone: mergeId, to, leaving, joins, conversations }, now)
        const changed = undone.changed.map(({ after }) => after.id)
        yield* sql`
          UPDATE conversations SET contact_id = ${to}, updated_at = ${stamp(now)},
            version = CASE WHEN id = ANY(${changed}::uuid[]) THEN version ELSE version + 1 END,
            transferred_by = ${mergesBefore(sql, mergeId)}
          WHERE organization_id = ${organization.id} AND transferred_by @> ARRAY[${mergeId}]::uuid[] AND transferred_by <> '{}'`
        yield* joining.change(organization.id, undone.changed)
        yield* joining.forget(organization.id, [mergeId, ...later])
        yield* joining.keep(organization.id, undone.joins)
        return undone.changed
      }),
      enter: Effect.fnUntraced(function* (organization, entries) {
        if (entries.length === 0) return
        const fields = sql.literal(messageFields)
        const records = entries.map((entry) => messageRecordOf(entry.chatAccountId, systemMessage(entry)))
        yield* sql`
          INSERT INTO messages (organization_id, ${fields}, words)
          SELECT ${organization.id}::uuid, ${fields}, array_to_tsvector(words)
          FROM json_to_recordset(${PgTypes.json(records)}) AS s (${sql.literal(messageRecord)})`
      }),
      forget: Effect.fnUntraced(function* (organization, contactIds) {
        if (contactIds.length === 0) return []
        const rows = yield* sql<{ readonly fileId: FileId }>`
          WITH locked AS MATERIALIZED (
            SELECT id, status FROM conversations
            WHERE organization_id = ${organization.id} AND contact_id = ANY(${Array.from(contactIds)}::uuid[])
            ORDER BY id FOR UPDATE
          ),
          ${resolvedTally(sql, organization.id, sql`SELECT -count(*)::integer AS by FROM locked WHERE status = 'resolved'`)},
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
      })
    })
  })
)
