import { createNote, deleteNote, listNotes, updateNote } from "@parley/domain"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../../api/Api.ts"
import { expectedVersion, pageOf } from "../../api/shapes.ts"
import { withAnswerWriters } from "../answers/answerWriters.ts"

/** Notes. */
export const layer = HttpApiBuilder.group(Api, "notes", (handlers) =>
  withAnswerWriters(handlers).handleAll({
    list: ({ params, query }) => listNotes(params.id, pageOf(query)),
    create: ({ params, payload }) => createNote(params.id, payload),
    update: ({ headers, params, payload }) => updateNote(params.id, params.noteId, payload, expectedVersion(headers)),
    delete: ({ headers, params }) => deleteNote(params.id, params.noteId, expectedVersion(headers))
  })
)
