import { createNote, deleteNote, listNotes, Note, updateNote } from "@parley/domain"
import type { NotesApi } from "../../notes.ts"
import type { ExamplesOf } from "./Example.ts"
import { note } from "./inbox.ts"
import { at, pageOf } from "./samples.ts"

const { text, mentions } = note
const mended = "She asks every Friday. Let us set one aside each week."

export const notes: ExamplesOf<typeof NotesApi> = {
  list: { runs: listNotes, answer: pageOf(note) },
  create: { runs: createNote, request: { text, mentions }, answer: note },
  update: {
    runs: updateNote,
    request: { text: mended },
    answer: new Note({ ...note, text: mended, editedAt: at("14:12:00.000"), version: note.version + 1 })
  },
  delete: { runs: deleteNote }
}
