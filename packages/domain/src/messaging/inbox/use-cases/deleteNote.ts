import { Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { CurrentActor, holds, transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { NoteOfAnother } from "../Errors.ts"
import type { ConversationId, NoteId } from "../Ids.ts"
import { Notes } from "../Notes.ts"
import { auditedNote } from "../auditedNote.ts"
import { isAuthor } from "../isAuthor.ts"

/** Deletes a note, for whoever has written it, and for those who manage the team. */
export const deleteNote = useCase(
  "notes.delete",
  { access: { permission: "conversations.manage" } },
  Effect.fnUntraced(function* (conversationId: ConversationId, id: NoteId, expectedVersion: number | null) {
    const notes = yield* Notes
    const before = yield* notes.get(conversationId, id)
    const mayDelete = (yield* isAuthor(before)) || holds(yield* CurrentActor, "members.manage")
    if (!mayDelete) return yield* new NoteOfAnother()
    yield* notes.remove(conversationId, id, expectedVersion)
    yield* record("note.deleted", { kind: "note", id }, { before: auditedNote(before) })
    yield* appendEvent({ type: "note.deleted", conversationId, noteId: id })
  }, transact)
)
