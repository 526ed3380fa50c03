import { assert, layer } from "@effect/vitest"
import { UserId } from "@parley/domain/kernel"
import {
  ConversationId,
  createCannedReply,
  createNote,
  deleteCannedReply,
  deleteNote,
  listCannedReplies,
  listNotes,
  updateCannedReply,
  updateNote
} from "@parley/domain/messaging"
import {
  asOperatorOf,
  asPerson,
  givenCannedReply,
  givenConversation,
  givenMember,
  givenNote,
  givenOrganization,
  TestKit
} from "@parley/testkit"
import { Effect } from "effect"
import { auditOf, traced } from "../../crm/traces.ts"
import { tagOf } from "../../tagOf.ts"
import { whyOf } from "./faults.ts"

const nobody = "01990000-0000-7000-8000-00000000dead"
const page = { limit: 2, cursor: null }

layer(TestKit.layer)("a note", (it) => {
  it.effect("is its author's to change, and its author's and the admins' to delete", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const author = yield* givenMember(organization, "agent")
      const colleague = yield* givenMember(organization, "agent")
      const admin = yield* givenMember(organization, "admin")
      const { id: conversationId } = yield* givenConversation(organization)
      const note = yield* createNote({
        id: conversationId,
        text: "A secret of hers",
        mentions: [colleague.user.id]
      }).pipe(asPerson(organization, author))
      assert.deepStrictEqual(note.author, { kind: "user", id: author.user.id })
      const change = updateNote({ id: conversationId, noteId: note.id, text: "Better", ifVersion: 1 })
      assert.strictEqual(yield* tagOf(change.pipe(asPerson(organization, colleague))), "NotNoteAuthor")
      assert.strictEqual(yield* tagOf(change.pipe(asPerson(organization, admin))), "NotNoteAuthor")
      const after = yield* change.pipe(asPerson(organization, author))
      assert.deepStrictEqual([after.text, after.version, after.mentions], ["Better", 2, [colleague.user.id]])
      assert.isNotNull(after.editedAt)
      assert.strictEqual(yield* tagOf(change.pipe(asPerson(organization, author))), "VersionConflict")
      const remove = deleteNote({ id: conversationId, noteId: note.id, ifVersion: null })
      assert.strictEqual(yield* tagOf(remove.pipe(asPerson(organization, colleague))), "NotNoteAuthor")
      assert.strictEqual(yield* tagOf(remove.pipe(asPerson(organization, admin))), "ok")
      assert.strictEqual(yield* tagOf(remove.pipe(asPerson(organization, author))), "NotFound")
      assert.notInclude(JSON.stringify(yield* auditOf(organization)), "secret of hers")
    })
  )

  it.effect("leaves a trace of each change, and none where nothing changes", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const { id: conversationId } = yield* givenConversation(organization)
      const { id, text } = yield* givenNote(organization, { id: conversationId })
      const change = (text: string) =>
        traced(
          organization,
          updateNote({ id: conversationId, noteId: id, text: text, ifVersion: null }).pipe(asOperatorOf(organization))
        )
      const same = yield* change(text)
      assert.deepStrictEqual([same.answer.version, same.events, same.audit], [1, [], []])
      const { audit, events } = yield* change("Other words")
      assert.deepStrictEqual(events, [{ type: "note.updated", conversationId, noteId: id }])
      assert.deepStrictEqual(
        audit.map(({ action, target }) => [action, target]),
        [["note.updated", id]]
      )
    })
  )

  it.effect("mention members only and belong to one conversation", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization({ plan: "scale" })
      const viewer = yield* givenMember(organization, "viewer")
      const { id } = yield* givenConversation(organization)
      const other = yield* givenConversation(organization)
      const why = (conversationId: ConversationId, mentions: ReadonlyArray<UserId>) =>
        whyOf(createNote({ id: conversationId, text: "Look", mentions }).pipe(asOperatorOf(organization)))
      assert.deepStrictEqual(
        yield* Effect.all([
          why(id, [viewer.user.id, UserId.make(nobody)]),
          why(ConversationId.make(nobody), []),
          why(id, [viewer.user.id])
        ]),
        ["NotFound /mentions/1", "NotFound", "ok"]
      )
      const first = yield* givenNote(organization, { id })
      const second = yield* givenNote(organization, { id })
      const { data, nextCursor } = yield* listNotes({ id, page }).pipe(asOperatorOf(organization))
      assert.deepStrictEqual(
        data.map((note) => note.id),
        [second.id, first.id]
      )
      assert.lengthOf(
        (yield* listNotes({ id, page: { limit: 2, cursor: nextCursor } }).pipe(asOperatorOf(organization))).data,
        1
      )
      const elsewhere = updateNote({ id: other.id, noteId: first.id, text: "x", ifVersion: null })
      assert.strictEqual(yield* tagOf(elsewhere.pipe(asOperatorOf(organization))), "NotFound")
    })
  )
})

layer(TestKit.layer)("canned replies", (it) => {
  it.effect("have unique shortcuts that find them", () =>
    Effect.gen(function* () {
      const organization = yield* givenOrganization()
      const inside = asOperatorOf(organization)
      const hello = yield* givenCannedReply(organization)
      const hours = yield* givenCannedReply(organization, { shortcut: "hours", text: "Nine to five." })
      yield* givenCannedReply(organization, { shortcut: "bye" })
      const found = yield* listCannedReplies({ q: "H", page }).pipe(inside)
      assert.deepStrictEqual([found.data.map(({ shortcut }) => shortcut), found.nextCursor], [["hello", "hours"], null])
      assert.strictEqual(yield* tagOf(createCannedReply({ shortcut: "hello", text: "x" }).pipe(inside)), "NameTaken")
      assert.strictEqual(
        yield* tagOf(updateCannedReply({ id: hours.id, shortcut: "hello", ifVersion: 1 }).pipe(inside)),
        "NameTaken"
      )
      const { answer, audit, events } = yield* traced(
        organization,
        updateCannedReply({ id: hello.id, text: "Hi!", ifVersion: 1 }).pipe(inside)
      )
      assert.deepStrictEqual([answer.text, answer.shortcut, answer.version], ["Hi!", "hello", 2])
      assert.deepStrictEqual(events, [{ type: "canned_reply.updated", cannedReplyId: hello.id }])
      assert.deepStrictEqual(
        audit.map(({ after, before }) => [before, after]),
        [[{ text: "Hello, how can we help?" }, { text: "Hi!" }]]
      )
      assert.strictEqual(
        yield* tagOf(updateCannedReply({ id: hello.id, text: "Ho", ifVersion: 1 }).pipe(inside)),
        "VersionConflict"
      )
      assert.strictEqual(
        yield* tagOf(deleteCannedReply({ id: hello.id, ifVersion: 1 }).pipe(inside)),
        "VersionConflict"
      )
      yield* deleteCannedReply({ id: hello.id, ifVersion: 2 }).pipe(inside)
      assert.strictEqual(yield* tagOf(deleteCannedReply({ id: hello.id, ifVersion: null }).pipe(inside)), "NotFound")
      yield* givenCannedReply(organization)
    })
  )
})
