import { DateTime, Effect } from "effect"
import {
  CurrentActor,
  hasPermission,
  nextId,
  paged,
  type PageRequest,
  toActorRef,
  requireVersion,
  transact,
  useCase
} from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import { Conversations } from "../Conversations.ts"
import { type ConversationId, NoteId } from "../Message.ts"
import { noteAuditFields, checkMentions, isAuthor, type NewNote, Note, type NotePatch, Notes } from "../Notes.ts"
import { lockConversation } from "../conversationChanges.ts"
import { NotNoteAuthor } from "../errors.ts"
import { appendEvent } from "../events.ts"

/** Writes a note on a conversation. The contact never sees it. */
export const createNote = useCase(
  {
    name: "notes.create",
    access: { permission: "conversations.manage" },
    audit: "note.created",
    emits: ["note.created"]
  },
  Effect.fnUntraced(function* ({ id: conversationId, text, mentions = [] }: { readonly id: ConversationId } & NewNote) {
    yield* lockConversation(conversationId)
    yield* checkMentions(mentions)
    const id = yield* nextId(NoteId)
    const note = new Note({
      id,
      conversationId,
      author: toActorRef(yield* CurrentActor),
      text,
      mentions,
      createdAt: yield* DateTime.now,
      editedAt: null,
      version: 1
    })
    yield* (yield* Notes).insert(note)
    yield* recordAudit("note.created", { kind: "note", id }, { after: noteAuditFields(note) })
    yield* appendEvent({ type: "note.created", conversationId, noteId: id })
    return note
  }, transact)
)

/** Reads the notes on a conversation, newest first. */
export const listNotes = useCase(
  { name: "notes.list", access: { permission: "conversations.read" } },
  Effect.fnUntraced(function* ({
    id: conversationId,
    page
  }: {
    readonly id: ConversationId
    readonly page: PageRequest
  }) {
    yield* (yield* Conversations).get(conversationId)
    const notes = yield* Notes
    return yield* paged(
      `notes/${conversationId}`,
      page,
      (slice) => notes.list(conversationId, slice),
      ({ id }) => [id]
    )
  })
)

/** Changes a note. Only the author is allowed to. */
export const updateNote = useCase(
  {
    name: "notes.update",
    access: { permission: "conversations.manage" },
    audit: "note.updated",
    emits: ["note.updated"]
  },
  Effect.fnUntraced(function* ({
    id: conversationId,
    noteId,
    ifVersion,
    ...patch
  }: { readonly id: ConversationId; readonly noteId: NoteId; readonly ifVersion: number | null } & NotePatch) {
    const notes = yield* Notes
    yield* lockConversation(conversationId)
    const before = yield* notes.get(conversationId, noteId)
    if (!(yield* isAuthor(before))) return yield* new NotNoteAuthor()
    yield* requireVersion(before, ifVersion)
    const { text = before.text, mentions = before.mentions } = patch
    const isSame = text === before.text && JSON.stringify(mentions) === JSON.stringify(before.mentions)
    if (isSame) return before
    yield* checkMentions(mentions.filter((each) => !before.mentions.includes(each)))
    const after = yield* notes.save(new Note({ ...before, text, mentions, editedAt: yield* DateTime.now }), ifVersion)
    yield* recordAudit(
      "note.updated",
      { kind: "note", id: noteId },
      { before: noteAuditFields(before), after: noteAuditFields(after) }
    )
    yield* appendEvent({ type: "note.updated", conversationId, noteId })
    return after
  }, transact)
)

/** Deletes a note. The author and members who manage the team are allowed to. */
export const deleteNote = useCase(
  {
    name: "notes.delete",
    access: { permission: "conversations.manage" },
    audit: "note.deleted",
    emits: ["note.deleted"]
  },
  Effect.fnUntraced(function* ({
    id: conversationId,
    noteId,
    ifVersion
  }: {
    readonly id: ConversationId
    readonly noteId: NoteId
    readonly ifVersion: number | null
  }) {
    const notes = yield* Notes
    const before = yield* notes.get(conversationId, noteId)
    const mayDelete = (yield* isAuthor(before)) || hasPermission(yield* CurrentActor, "members.manage")
    if (!mayDelete) return yield* new NotNoteAuthor()
    yield* notes.remove(conversationId, noteId, ifVersion)
    yield* recordAudit("note.deleted", { kind: "note", id: noteId }, { before: noteAuditFields(before) })
    yield* appendEvent({ type: "note.deleted", conversationId, noteId })
  }, transact)
)
