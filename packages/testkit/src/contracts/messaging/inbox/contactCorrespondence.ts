import { assert } from "@effect/vitest"
import { type Slice, transact, UserId } from "@parley/domain/kernel"
import { type ContactId, ContactMergeId } from "@parley/domain/crm"
import {
  ContactConversations,
  type Conversation,
  type ConversationEntry,
  type Media,
  MediaLibrary,
  type Message,
  Note,
  NoteId,
  Notes
} from "@parley/domain/messaging"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { all, givenContact, idsOf, inNewOrganization } from "../../crm/given.ts"
import { freshId } from "../../given.ts"
import { givenConversation, givenMessage, minutes, newMedia, plainConversation, plainMessage } from "./given.ts"

const givenNote = Effect.fnUntraced(function* ({ id: conversationId }: Conversation, overrides: Partial<Note> = {}) {
  const note = new Note({
    id: freshId(NoteId),
    conversationId,
    author: { kind: "user", id: freshId(UserId) },
    text: 'Ask "Marie" \\ 🥖\ntwice',
    mentions: [],
    createdAt: minutes(0),
    editedAt: null,
    version: 1,
    ...overrides
  })
  yield* transact(Effect.flatMap(Notes, (notes) => notes.insert(note)))
  return note
})

const givenFile = Effect.fnUntraced(function* (overrides: Partial<Media> = {}) {
  const media = newMedia(overrides)
  yield* transact(Effect.flatMap(MediaLibrary, (library) => library.insert([media])))
  return media
})

const inMessage = ({ filename, id, mimeType }: Media) => ({ media: { id, mimeType, filename } })

const opened = ({ chatAccountId, createdAt, id }: Conversation): ConversationEntry => ({
  kind: "conversation_opened",
  id,
  at: createdAt,
  conversationId: id,
  chatAccountId
})

const written = (message: Message): ConversationEntry => {
  const { at, author, conversationId, direction, id, kind: messageKind, status, text } = message
  return { kind: "message", id, at, conversationId, direction, messageKind, text, status, author }
}

const noted = ({ author, conversationId, createdAt, editedAt, id, text }: Note): ConversationEntry => ({
  kind: "note",
  id,
  at: createdAt,
  actor: author,
  conversationId,
  text,
  editedAt
})

const timeline = (contactId: ContactId, slice: Slice = all) =>
  Effect.flatMap(ContactConversations, (port) => port.timeline(contactId, slice))

const keyOf = ({ at, id }: ConversationEntry) => [DateTime.formatIso(at), id]

const correspondence = (contactId: ContactId, limit = 100) =>
  Effect.flatMap(ContactConversations, (port) => port.correspondence(contactId, limit))

/** Ids of the messages with the contact. */
const writtenWith = (contactId: ContactId, limit?: number) =>
  Effect.map(correspondence(contactId, limit), ({ conversations, media, messages, notes }) =>
    [conversations, messages, notes, media].map((rows): ReadonlyArray<string> => idsOf<string>(rows))
  )

/** Contract for messages with a contact. */
export const contactCorrespondence: StorageContract = {
  port: "ContactConversations",
  promises: (it) => {
    it.effect("tells what happened in all conversations of a contact as one, by when it did, page after page", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const { id: contactId } = yield* givenContact()
          const episode = { number: 1, startedAt: minutes(1), resolvedAt: minutes(4), resolvedBy: null }
          const former = yield* givenConversation({ contactId, status: "resolved", episode, createdAt: minutes(1) })
          // A conversation that was never open, such as one with an echo only.
          yield* givenConversation({ contactId, status: "resolved", createdAt: minutes(2) })
          const first = yield* givenMessage(former, { at: minutes(1) })
          const caption = yield* givenMessage(former, {
            kind: "image",
            text: 'Two "loaves" \\ 🥖',
            ...inMessage(yield* givenFile()),
            at: minutes(3)
          })
          const latest = yield* givenConversation({ contactId, createdAt: minutes(5) })
          const answer = yield* givenMessage(latest, {
            direction: "outbound",
            status: "delivered",
            author: { kind: "user", id: freshId(UserId) },
            at: minutes(8)
          })
          const wordless = yield* givenMessage(latest, { kind: "location", text: null, at: minutes(7) })
          const late = yield* givenMessage(latest, { at: minutes(6), createdAt: minutes(9) })
          const atOnce = [
            yield* givenMessage(former, { at: minutes(10) }),
            yield* givenMessage(latest, { at: minutes(10) })
          ]
          const early = yield* givenNote(former, { createdAt: minutes(2), editedAt: minutes(4) })
          const last = yield* givenNote(latest, { createdAt: minutes(10), author: { kind: "operator", id: "test" } })
          const other = yield* givenConversation()
          yield* givenMessage(other)
          yield* givenNote(other)

          const reports: ReadonlyArray<ConversationEntry> = [
            noted(last),
            ...atOnce.toReversed().map(written),
            written(answer),
            written(wordless),
            written(late),
            opened(latest),
            written(caption),
            noted(early),
            written(first),
            opened(former)
          ]
          assert.deepStrictEqual(yield* timeline(contactId), reports)
          for (const limit of [1, 3, 4]) {
            const pages: Array<ConversationEntry> = []
            for (let after: ReadonlyArray<string> | null = null; ;) {
              const page: ReadonlyArray<ConversationEntry> = yield* timeline(contactId, { limit, after })
              assert.isAtMost(page.length, limit)
              pages.push(...page)
              const end = page.at(-1)
              if (end === undefined) break
              after = keyOf(end)
            }
            assert.deepStrictEqual(pages, reports, `pages of ${limit}`)
          }
          assert.deepStrictEqual(yield* timeline((yield* givenContact()).id), [])
        })
      )
    )

    it.effect(
      "gives back all that was written with a contact, the newest first, and no more of each than is asked for",
      () =>
        inNewOrganization(
          Effect.gen(function* () {
            const { id: contactId } = yield* givenContact()
            const latest = yield* givenConversation({ contactId, createdAt: minutes(5), labels: ["bread"] })
            const former = yield* givenConversation({ contactId, status: "resolved", createdAt: minutes(1) })
            const [photo, menu, shared] = [
              yield* givenFile({ createdAt: minutes(2) }),
              yield* givenFile({ createdAt: minutes(6), kind: "document", filename: "Menü.pdf" }),
              yield* givenFile({ createdAt: minutes(4) })
            ]
            yield* givenFile()
            const messages = [
              yield* givenMessage(latest, { at: minutes(9), ...inMessage(menu) }),
              yield* givenMessage(former, { at: minutes(8), ...inMessage(shared) }),
              yield* givenMessage(latest, { at: minutes(7), ...inMessage(shared) }),
              yield* givenMessage(former, { at: minutes(2), ...inMessage(photo) })
            ]
            const notes = [
              yield* givenNote(former, { createdAt: minutes(3) }),
              yield* givenNote(latest, { createdAt: minutes(2), mentions: [freshId(UserId)] })
            ]
            const other = yield* givenConversation()
            yield* givenMessage(other, inMessage(shared))
            yield* givenMessage(other, inMessage(yield* givenFile()))
            yield* givenNote(other)

            const found = yield* correspondence(contactId)
            assert.deepStrictEqual(found.conversations.map(plainConversation), [latest, former].map(plainConversation))
            assert.deepStrictEqual(found.messages.map(plainMessage), messages.map(plainMessage))
            assert.deepStrictEqual(found.notes, notes)
            assert.deepStrictEqual(found.media, [menu, shared, photo])
            assert.deepStrictEqual(yield* writtenWith(contactId, 1), [
              [latest.id],
              idsOf(messages.slice(0, 1)),
              idsOf(notes.slice(0, 1)),
              [menu.id]
            ])
            assert.deepStrictEqual(yield* writtenWith((yield* givenContact()).id), [[], [], [], []])
          })
        )
    )

    it.effect("follows a merge, and its undoing", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const port = yield* ContactConversations
          const [from, to] = [yield* givenContact(), yield* givenContact()]
          const theirs = yield* givenConversation({ contactId: from.id })
          const own = yield* givenConversation({ contactId: to.id })
          const message = yield* givenMessage(theirs, { at: minutes(1) })
          const answer = yield* givenMessage(own, { at: minutes(2) })
          const mergeId = freshId(ContactMergeId)
          const known = Effect.gen(function* () {
            return [
              (yield* timeline(from.id)).length,
              (yield* timeline(to.id)).length,
              (yield* correspondence(from.id)).messages.map(({ id }) => id),
              (yield* correspondence(to.id)).messages.map(({ id }) => id)
            ]
          })
          yield* transact(port.handOver(from.id, to.id, mergeId, minutes(3)))
          assert.deepStrictEqual(yield* known, [0, 4, [], [answer.id, message.id]])
          yield* transact(port.handBack({ mergeId, from: to.id, to: from.id, later: [] }, minutes(4)))
          assert.deepStrictEqual(yield* known, [2, 2, [message.id], [answer.id]])
        })
      )
    )
  }
}

/** Checks an adapter against the contract for messages with a contact. */
export const contactCorrespondenceContract = runContract(contactCorrespondence)
