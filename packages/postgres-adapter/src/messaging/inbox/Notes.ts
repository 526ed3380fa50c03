import { NotFound, type OrganizationId, VersionConflict } from "@parley/domain/kernel"
import { type ConversationId, type NoteId, Notes } from "@parley/domain/messaging"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { stamp } from "../../kernel/columns.ts"
import { tenantPort } from "../../kernel/tenantPort.ts"
import { noteColumns, noteOf, type NoteRow } from "./noteRow.ts"

export const layer = Layer.effect(
  Notes,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const columns = sql.literal(noteColumns)
    const at = (organizationId: OrganizationId, conversationId: ConversationId, id: NoteId) =>
      sql`organization_id = ${organizationId} AND id = ${id} AND conversation_id = ${conversationId}`
    const ifVersion = (expected: number | null) => (expected === null ? sql`` : sql`AND version = ${expected}`)
    const conflict = Effect.fnUntraced(function* (
      organizationId: OrganizationId,
      conversationId: ConversationId,
      id: NoteId
    ) {
      const [row] = yield* sql<{ readonly version: number }>`
        SELECT version FROM notes WHERE ${at(organizationId, conversationId, id)}`
      return yield* row === undefined
        ? new NotFound({ resource: "note" })
        : new VersionConflict({ current: row.version })
    })

    return tenantPort(Notes, {
      get: Effect.fnUntraced(function* (organization, conversationId, id) {
        const [row] = yield* sql<NoteRow>`
          SELECT ${columns} FROM notes WHERE ${at(organization.id, conversationId, id)}`
        return row === undefined ? yield* new NotFound({ resource: "note" }) : noteOf(row)
      }),
      list: Effect.fnUntraced(function* (organization, conversationId, { after, limit }) {
        const rows = yield* sql<NoteRow>`
          SELECT ${columns} FROM notes
          WHERE organization_id = ${organization.id} AND conversation_id = ${conversationId}
            ${after === null ? sql`` : sql`AND id < ${after[0]}::uuid`}
          ORDER BY id DESC LIMIT ${limit}`
        return rows.map(noteOf)
      }),
      insert: Effect.fnUntraced(function* (organization, note) {
        yield* sql`
          INSERT INTO notes (organization_id, id, conversation_id, author_kind, author_id, text, mentions, created_at,
            edited_at, version)
          VALUES (${organization.id}, ${note.id}, ${note.conversationId}, ${note.author.kind}, ${note.author.id},
            ${note.text}, ${Array.from(note.mentions)}::uuid[], ${stamp(note.createdAt)}, ${stamp(note.editedAt)},
            ${note.version})`
      }),
      save: Effect.fnUntraced(function* (organization, { text, conversationId, editedAt, id, mentions }, expected) {
        const [row] = yield* sql<NoteRow>`
          UPDATE notes SET text = ${text}, mentions = ${Array.from(mentions)}::uuid[], edited_at = ${stamp(editedAt)},
            version = version + 1
          WHERE ${at(organization.id, conversationId, id)} ${ifVersion(expected)} RETURNING ${columns}`
        return row === undefined ? yield* conflict(organization.id, conversationId, id) : noteOf(row)
      }),
      remove: Effect.fnUntraced(function* (organization, conversationId, id, expected) {
        const removed = yield* sql`
          DELETE FROM notes WHERE ${at(organization.id, conversationId, id)} ${ifVersion(expected)} RETURNING 1`
        if (removed.length === 0) return yield* conflict(organization.id, conversationId, id)
      })
    })
  })
)
