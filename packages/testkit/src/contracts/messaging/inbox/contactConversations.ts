import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { type Contact, ContactMergeId } from "@parley/domain/crm"
import {
  ContactConversations,
  type Conversation,
  Conversations,
  MediaLibrary,
  type MessageId,
  Messages,
  Notes
} from "@parley/domain/messaging"
import { DateTime, Effect } from "effect"
import { queuedMessages } from "../../../fixtures/queued.ts"
import { runContract, type StorageContract } from "../../contract.ts"
import { evening, givenContact, inNewOrganization, morning } from "../../crm/given.ts"
import { freshId, outside } from "../../given.ts"
import { givenNumber, givenConversation, givenMessage, givenFile, givenNote, enqueue } from "./givenCorrespondence.ts"

const all = { limit: 1_000, after: null }

const afterHours = (hours: number) => DateTime.add(morning, { hours })

const handOver = (from: Contact, to: Contact, mergeId = freshId(ContactMergeId)) =>
  transact(
    Effect.map(
      Effect.flatMap(ContactConversations, (port) => port.handOver(from.id, to.id, mergeId, evening)),
      (changes) => ({ mergeId, changes })
    )
  )

const handBack = (mergeId: ContactMergeId, from: Contact, to: Contact) =>
  transact(
    Effect.flatMap(ContactConversations, (port) =>
      port.handBack({ mergeId, from: from.id, to: to.id, later: [] }, evening)
    )
  )

const forget = (...contacts: ReadonlyArray<Contact>) =>
  transact(Effect.flatMap(ContactConversations, (port) => port.forget(contacts.map(({ id }) => id))))

const asStored = ({ id }: Conversation) =>
  Effect.map(
    Effect.flatMap(Conversations, (conversations) => conversations.get(id)),
    ({ contact, conversation }) => {
      const { resolvedAt, snoozedUntil, status, updatedAt, version } = conversation
      return { of: [conversation.contactId, contact.id], resolvedAt, snoozedUntil, status, updatedAt, version }
    }
  )

const ownersOf = (...conversations: ReadonlyArray<Conversation>) =>
  Effect.forEach(conversations, (each) => Effect.map(asStored(each), ({ of: [id] }) => id))

/** Contract of conversations when their contacts change. */
export const contactConversations: StorageContract = {
  port: "ContactConversations",
  promises: (it) => {
    it.effect("transfers all, and resolves the longer idle of two unresolved conversations", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const [from, to, other] = [yield* givenContact(), yield* givenContact(), yield* givenContact()]
          const [one, two, three] = [yield* givenNumber, yield* givenNumber, yield* givenNumber]
          const idle = yield* givenConversation(from, one, { lastActivityAt: afterHours(1), status: "pending" })
          const busy = yield* givenConversation(to, one, { lastActivityAt: afterHours(2) })
          const busyToo = yield* givenConversation(from, two, { lastActivityAt: afterHours(4) })
          const idleToo = yield* givenConversation(to, two, {
            lastActivityAt: afterHours(3),
            status: "snoozed",
            snoozedUntil: evening
          })
          const first = yield* givenConversation(to, three)
          const second = yield* givenConversation(from, three)
          const former = yield* givenConversation(from, one, { status: "resolved" })
          const others = yield* givenConversation(other, one)

          const { changes } = yield* handOver(from, to)
          assert.sameDeepMembers(
            changes.map(({ after, before }) => [before.id, before.status, after.status]),
            [
              [idle.id, "pending", "resolved"],
              [busy.id, "open", "open"],
              [idleToo.id, "snoozed", "resolved"],
              [busyToo.id, "open", "open"],
              [first.id, "open", "resolved"],
              [second.id, "open", "open"]
            ]
          )
          const mine = [to.id, to.id]
          const untouched = { of: mine, resolvedAt: null, snoozedUntil: null, updatedAt: morning, version: 1 }
          const touched = { ...untouched, updatedAt: evening, version: 2 }
          assert.deepStrictEqual<ReadonlyArray<unknown>>(
            yield* Effect.forEach([idle, busy, busyToo, idleToo, first, second, former, others], asStored),
            [
              { ...touched, status: "resolved", resolvedAt: evening },
              { ...touched, status: "open" },
              { ...touched, status: "open" },
              { ...touched, status: "resolved", resolvedAt: evening },
              { ...touched, status: "resolved", resolvedAt: evening },
              { ...touched, status: "open" },
              { ...touched, status: "resolved", resolvedAt: morning },
              { ...untouched, of: [other.id, other.id], status: "open" }
            ]
          )
        })
      )
    )

    it.effect("returns what each merge transferred, and nothing that started later", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const [a, b, c] = [yield* givenContact(), yield* givenContact(), yield* givenContact()]
          const number = yield* givenNumber
          const ofA = yield* givenConversation(a, number, { status: "resolved" })
          const ofB = yield* givenConversation(b, number, { status: "resolved" })
          const ofC = yield* givenConversation(c, number, { status: "resolved" })
          const first = yield* handOver(a, b)
          const second = yield* handOver(b, c)
          const since = yield* givenConversation(c, number)
          assert.deepStrictEqual(yield* ownersOf(ofA, ofB, ofC, since), [c.id, c.id, c.id, c.id])
          yield* handBack(second.mergeId, c, b)
          assert.deepStrictEqual(yield* ownersOf(ofA, ofB, ofC, since), [b.id, b.id, c.id, c.id])
          yield* handBack(first.mergeId, b, a)
          assert.deepStrictEqual(yield* ownersOf(ofA, ofB, ofC, since), [a.id, b.id, c.id, c.id])
          yield* handBack(second.mergeId, c, b)
          assert.deepStrictEqual(yield* ownersOf(ofA, ofB, ofC, since), [a.id, b.id, c.id, c.id], "once")
          assert.deepStrictEqual(
            (yield* Effect.forEach([ofA, ofB, ofC, since], asStored)).map(({ version }) => version),
            [5, 3, 1, 1]
          )
        })
      )
    )

    it.effect("deletes all messages, and returns the unused files", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const [gone, goneToo, kept] = [yield* givenContact(), yield* givenContact(), yield* givenContact()]
          const number = yield* givenNumber
          const conversations = yield* Effect.forEach([gone, goneToo, kept], (contact) =>
            givenConversation(contact, number)
          )
          const [own, twice, shared, keptFile, lost, unused] = [
            yield* givenFile(),
            yield* givenFile(),
            yield* givenFile(),
            yield* givenFile(),
            yield* givenFile(false),
            yield* givenFile()
          ]
          const files = [[own, twice, shared, lost], [twice], [shared, keptFile]]
          const queued: Array<MessageId> = []
          for (const [at, conversation] of conversations.entries()) {
            for (const { inMessage } of files[at] ?? []) yield* givenMessage(conversation, inMessage)
            const message = yield* givenMessage(conversation)
            queued.push(message.id)
            yield* enqueue(conversation, message)
            yield* givenNote(conversation)
          }

          assert.deepStrictEqual(new Set(yield* forget(gone, goneToo)), new Set([own.fileId, twice.fileId]))
          const messages = yield* Messages
          const notes = yield* Notes
          const library = yield* MediaLibrary
          const found = yield* Effect.forEach(conversations, (conversation) =>
            Effect.gen(function* () {
              const there = yield* Effect.option(asStored(conversation))
              const written = yield* messages.list(conversation.id, all)
              const noted = yield* notes.list(conversation.id, all)
              return [there._tag, written.length, noted.length]
            })
          )
          assert.deepStrictEqual(found, [
            ["None", 0, 0],
            ["None", 0, 0],
            ["Some", 3, 1]
          ])
          const known = yield* Effect.forEach([own, twice, shared, keptFile, lost, unused], ({ inMessage }) =>
            Effect.map(Effect.option(library.get(inMessage.id)), ({ _tag }) => _tag)
          )
          assert.deepStrictEqual(known, ["None", "None", "Some", "Some", "None", "Some"])
          const left = yield* outside(queuedMessages(evening))
          assert.deepStrictEqual(
            queued.map((id) => left.includes(id)),
            [false, false, true]
          )
          assert.deepStrictEqual(yield* forget(gone), [])
          assert.deepStrictEqual(yield* forget(), [])
        })
      )
    )
  }
}

/** Checks an adapter against the contract of conversations when their contacts change. */
export const contactConversationsContract = runContract(contactConversations)
