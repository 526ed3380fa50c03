import { assert } from "@effect/vitest"
import { transact, UserId } from "@parley/domain/kernel"
import { type ConversationId, Note, NoteId, Notes } from "@parley/domain/messaging"
import { Effect, Schema } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { all, evening, idsOf, inNewOrganization, morning } from "../../crm/given.ts"
import { freshId } from "../../given.ts"
import { givenConversation } from "./given.ts"

const plain = Schema.encodeSync(Note)

const newNote = (conversationId: ConversationId, overrides: Partial<Note> = {}) =>
  new Note({
    id: freshId(NoteId),
    conversationId,
    author: { kind: "user", id: freshId(UserId) },
    text: 'Ask "Mary" \\ 🥖\ntwice',
    mentions: [],
    createdAt: morning,
    editedAt: null,
    version: 1,
    ...overrides
  })

const givenNote = Effect.fnUntraced(function* (conversationId: ConversationId, overrides: Partial<Note> = {}) {
  const note = newNote(conversationId, overrides)
  yield* transact((yield* Notes).insert(note))
  return note
})

export const notes: StorageContract = {
  port: "Notes",
  promises: (it) => {
    it.effect("gives notes back as they were stored, in their conversation only", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const port = yield* Notes
          const [here, elsewhere] = [yield* givenConversation(), yield* givenConversation()]
          const note = yield* givenNote(here.id, {
            mentions: [freshId(UserId), freshId(UserId)],
            editedAt: evening,
            version: 4
          })
          assert.deepStrictEqual(plain(yield* port.get(here.id, note.id)), plain(note))
          assert.strictEqual((yield* Effect.flip(port.get(elsewhere.id, note.id))).resource, "note")
          const failures = [
            yield* Effect.flip(transact(port.save(new Note({ ...note, conversationId: elsewhere.id }), null))),
            yield* Effect.flip(transact(port.remove(elsewhere.id, note.id, null))),
            yield* Effect.flip(transact(port.remove(here.id, freshId(NoteId), 1)))
          ]
          assert.deepStrictEqual(
            failures.map(({ _tag }) => _tag),
            ["NotFound", "NotFound", "NotFound"]
          )
          assert.deepStrictEqual(plain(yield* port.get(here.id, note.id)), plain(note))
        })
      )
    )

    it.effect("lists notes of a conversation, newest first, from any key on", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const port = yield* Notes
          const [here, elsewhere] = [yield* givenConversation(), yield* givenConversation()]
          const there = [yield* givenNote(here.id), yield* givenNote(here.id), yield* givenNote(here.id)]
          yield* givenNote(elsewhere.id)
          const expected = idsOf(there).toSorted().toReversed()
          assert.deepStrictEqual(idsOf(yield* port.list(here.id, all)), expected)
          const [first = assert.fail()] = expected
          assert.deepStrictEqual(idsOf(yield* port.list(here.id, { limit: 1, after: [first] })), expected.slice(1, 2))
        })
      )
    )

    it.effect("saves what a note says, and removes it, if its version is the expected one", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const port = yield* Notes
          const { id: conversationId } = yield* givenConversation()
          const note = yield* givenNote(conversationId)
          const edited = new Note({ ...note, text: "Never mind", mentions: [freshId(UserId)], editedAt: evening })
          const stale = yield* Effect.flip(transact(port.save(edited, 2)))
          assert.deepStrictEqual([stale._tag, "current" in stale ? stale.current : null], ["VersionConflict", 1])
          const saved = yield* transact(port.save(edited, 1))
          assert.deepStrictEqual(plain(saved), { ...plain(edited), version: 2 })
          assert.deepStrictEqual(plain(yield* port.get(conversationId, note.id)), plain(saved))
          assert.strictEqual((yield* transact(port.save(edited, null))).version, 3)
          const late = yield* Effect.flip(transact(port.remove(conversationId, note.id, 1)))
          assert.strictEqual(late._tag, "VersionConflict")
          yield* transact(port.remove(conversationId, note.id, 3))
          assert.strictEqual((yield* Effect.flip(port.get(conversationId, note.id)))._tag, "NotFound")
          assert.deepStrictEqual(yield* port.list(conversationId, all), [])
        })
      )
    )
  }
}

/** Checks an adapter against the contract of `Notes`. */
export const notesContract = runContract(notes)
