import { ConversationId, NewNote, Note, NoteId, NotePatch, Page } from "@parley/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { area, describe } from "./describe.ts"
import { Idempotent, InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf, IfMatch, PageQuery } from "./shapes.ts"

const conversation = idOf(ConversationId, "conversation")
const note = { ...conversation, noteId: NoteId.pipe(Schema.annotateKey({ description: "The id of the note." })) }

const read = [Problems.PermissionDenied, Problems.NotFound] as const
const changed = [...read, Problems.NoteOfAnother, Problems.VersionConflict] as const

/** Notes: words of the team on a conversation. */
export class NotesApi extends HttpApiGroup.make("notes")
  .add(
    HttpApiEndpoint.get("list", "/conversations/:id/notes", {
      params: conversation,
      query: PageQuery,
      success: Page(Note),
      error: [...read, Problems.CursorInvalid]
    }).annotateMerge(describe("listNotes", "List the notes on a conversation", "Newest first.")),
    HttpApiEndpoint.post("create", "/conversations/:id/notes", {
      params: conversation,
      payload: NewNote,
      success: Note.pipe(HttpApiSchema.status(201)),
      error: read
    })
      .annotateMerge(
        describe("createNote", "Write a note on a conversation", "The contact never sees it. It may mention members.")
      )
      .middleware(Idempotent),
    HttpApiEndpoint.patch("update", "/conversations/:id/notes/:noteId", {
      params: note,
      headers: IfMatch,
      payload: NotePatch,
      success: Note,
      error: changed
    }).annotateMerge(describe("updateNote", "Change a note", "For whoever has written it.")),
    HttpApiEndpoint.delete("delete", "/conversations/:id/notes/:noteId", {
      params: note,
      headers: IfMatch,
      success: HttpApiSchema.NoContent,
      error: changed
    }).annotateMerge(
      describe("deleteNote", "Delete a note", "For whoever has written it, and for those who manage members.")
    )
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Notes", "Words of the team on a conversation. They never leave the organization.")) {}
