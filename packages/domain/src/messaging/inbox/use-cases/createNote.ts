import { DateTime, Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { CurrentActor, nextId, refer, transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { type ConversationId, NoteId } from "../Ids.ts"
import { type NewNote, Note } from "../Note.ts"
import { Notes } from "../Notes.ts"
import { auditedNote } from "../auditedNote.ts"
import { checkMentions } from "../checkMentions.ts"
import { lockConversation } from "../changeConversation.ts"

/** Writes a note on a conversation. The contact never sees it. */
export const createNote = useCase(
  "notes.create",
  { access: { permission: "conversations.manage" } },
  Effect.fnUntraced(function* (conversationId: ConversationId, { text, mentions = [] }: NewNote) {
    yield* lockConversation(conversationId)
    yield* checkMentions(mentions)
    const id = yield* nextId(NoteId)
    const note = new Note({
      id,
      conversationId,
      author: refer(yield* CurrentActor),
      text,
      mentions,
      createdAt: yield* DateTime.now,
      editedAt: null,
      version: 1
    })
    yield* (yield* Notes).insert(note)
    yield* record("note.created", { kind: "note", id }, { after: auditedNote(note) })
    yield* appendEvent({ type: "note.created", conversationId, noteId: id })
    return note
  }, transact)
)
