import { Note } from "@parley/domain/messaging"
import { asWritten, type Instant, utc, utcOrNull } from "../../kernel/columns.ts"

export interface NoteRow extends Omit<Note, "author" | "createdAt" | "editedAt"> {
  readonly authorKind: Note["author"]["kind"]
  readonly authorId: Note["author"]["id"]
  readonly createdAt: Instant
  readonly editedAt: Instant | null
}

export const noteColumns = `id, conversation_id AS "conversationId", author_kind AS "authorKind", author_id AS "authorId", text, mentions,
  created_at AS "createdAt", edited_at AS "editedAt", version`

export const noteOf = ({ authorId, authorKind, ...row }: NoteRow) =>
  new Note(
    {
      ...row,
      author: { kind: authorKind, id: authorId },
      createdAt: utc(row.createdAt),
      editedAt: utcOrNull(row.editedAt)
    },
    asWritten
  )
