import { assert, describe, expectTypeOf, it } from "@effect/vitest"
import type { PageRequest } from "@parley/domain/kernel"
import { createTag } from "@parley/domain/crm"
import { createNote, deleteNote, listNotes, type NoteId, updateNote } from "@parley/domain/messaging"
import { NotesApi } from "../src/api/messages.ts"
import { bind, bindWith } from "../src/server/bindings/bind.ts"
import type { InputOf } from "../src/server/bindings/binding.ts"
import { bindings } from "../src/server/bindings/index.ts"
import { note } from "../src/server/examples/inbox.ts"
import { samplePage } from "../src/server/examples/samples.ts"
import { endpoints } from "./harness/contract.ts"

type Notes = (typeof NotesApi)["endpoints"]

const [list, create, update] = [
  { runs: listNotes, response: samplePage(note) },
  { runs: createNote, request: { text: note.text }, response: note },
  { runs: updateNote, request: { text: note.text }, response: note }
]
const rest = { list, create, update }

describe("The input of an endpoint", () => {
  it("has path parameters, body, page and version", () => {
    expectTypeOf<InputOf<Notes["update"]>["noteId"]>().toEqualTypeOf<NoteId>()
    expectTypeOf<InputOf<Notes["update"]>["ifVersion"]>().toEqualTypeOf<number | null>()
    expectTypeOf<InputOf<Notes["list"]>["page"]>().toEqualTypeOf<PageRequest>()
    expectTypeOf<InputOf<Notes["list"]>>().not.toHaveProperty("cursor")
  })
})

describe("A binding", () => {
  it("does not compile with the use case of another resource, without an example, or without an endpoint", () => {
    const { samples } = bind(NotesApi, { ...rest, delete: { runs: deleteNote } })
    assert.strictEqual(samples["delete"]?.declared, deleteNote)
    // @ts-expect-error A tag is no note.
    bind(NotesApi, { ...rest, create: { ...create, runs: createTag }, delete: { runs: deleteNote } })
    // @ts-expect-error The example of the response is missing.
    bind(NotesApi, { ...rest, list: { runs: listNotes }, delete: { runs: deleteNote } })
    // @ts-expect-error An endpoint is missing.
    bind(NotesApi, rest)
    // @ts-expect-error The endpoint has no handler.
    bind(NotesApi, { ...rest, delete: { uses: deleteNote } })
    // @ts-expect-error The endpoint has no handler.
    bindWith(NotesApi, { ...rest, delete: { uses: deleteNote } }, (handlers) => handlers)
    bindWith(NotesApi, { ...rest, delete: { uses: deleteNote } }, (handlers) =>
      handlers.handleAll({ delete: ({ params }) => deleteNote({ ...params, ifVersion: null }) })
    )
  })

  it("exists for every endpoint", () => {
    const bound = Object.entries(bindings).flatMap(([group, { samples }]) =>
      Object.keys(samples).map((name) => `${group}.${name}`)
    )
    assert.sameMembers(
      bound,
      endpoints.map(({ id }) => id)
    )
  })
})
