import { createNote, deleteNote, listNotes, Note, updateNote } from "@parley/domain/messaging"
import { NotesApi } from "../../../api/messages.ts"
import { note } from "../../examples/inbox.ts"
import { at, samplePage } from "../../examples/samples.ts"
import { bind } from "../bind.ts"

const { text, mentions } = note

const mended = "She asks every Friday. Let us set one aside each week."

export const notes = bind(NotesApi, {
  list: { runs: listNotes, response: samplePage(note) },
  create: { runs: createNote, request: { text, mentions }, response: note },
  update: {
    runs: updateNote,
    request: { text: mended },
    response: new Note({ ...note, text: mended, editedAt: at("14:12:00.000"), version: note.version + 1 })
  },
  delete: { runs: deleteNote }
})
