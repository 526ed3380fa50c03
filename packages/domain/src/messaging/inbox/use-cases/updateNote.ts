import { DateTime, Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { requireVersion, transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { NoteOfAnother } from "../Errors.ts"
import type { ConversationId, NoteId } from "../Ids.ts"
import { Note, type NotePatch } from "../Note.ts"
import { Notes } from "../Notes.ts"
import { auditedNote } from "../auditedNote.ts"
import { checkMentions } from "../checkMentions.ts"
import { isAuthor } from "../isAuthor.ts"
import { lockConversation } from "../changeConversation.ts"

/** Changes a note, for whoever has written it. */
export const updateNote = useCase(
  "notes.update",
  { access: { permission: "conversations.manage" } },
  Effect.fnUntraced(function* (
    conversationId: ConversationId,
    id: NoteId,
    patch: NotePatch,
    expectedVersion: number | null
  ) {
    const notes = yield* Notes
    yield* lockConversation(conversationId)
    const before = yield* notes.get(conversationId, id)
    if (!(yield* isAuthor(before))) return yield* new NoteOfAnother()
    yield* requireVersion(before, expectedVersion)
    const { text = before.text, mentions = before.mentions } = patch
    const isSame = text === before.text && JSON.stringify(mentions) === JSON.stringify(before.mentions)
    if (isSame) return before
    yield* checkMentions(mentions.filter((each) => !before.mentions.includes(each)))
    const after = yield* notes.save(
      new Note({ ...before, text, mentions, editedAt: yield* DateTime.now }),
      expectedVersion
    )
    yield* record("note.updated", { kind: "note", id }, { before: auditedNote(before), after: auditedNote(after) })
    yield* appendEvent({ type: "note.updated", conversationId, noteId: id })
    return after
  }, transact)
)
