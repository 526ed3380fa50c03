import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ChatAccountId, type Conversation, ConversationId, Conversations } from "@parley/domain/messaging"
import { Deferred, Effect, Fiber } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { evening, givenContact, idsOf, inNewOrganization, sorted } from "../../crm/given.ts"
import { freshId } from "../../given.ts"
import {
  givenConversation,
  insertConversations,
  minutes,
  newConversation,
  saveConversations,
  storedConversation,
  lockLatest,
  countsFor,
  noConversations,
  openConversation
} from "./given.ts"

export const conversationPairs: StorageContract = {
  port: "Conversations (pairs of a contact and an account)",
  promises: (it, overlap) => {
    it.effect("locks the unresolved conversation of each pair, or else the last resolved one", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const [one, two, three, fresh] = [
            yield* givenContact(),
            yield* givenContact(),
            yield* givenContact(),
            yield* givenContact()
          ]
          const [account, another] = [freshId(ChatAccountId), freshId(ChatAccountId)]
          const given = (contactId: Conversation["contactId"], input: Partial<Conversation>) =>
            givenConversation({ contactId, chatAccountId: account, ...input })
          yield* given(one.id, { status: "resolved", resolvedAt: minutes(900) })
          const unresolved = yield* given(one.id, { status: "pending" })
          const elsewhere = yield* given(one.id, { chatAccountId: another })
          yield* given(two.id, { status: "resolved", resolvedAt: minutes(5), lastActivityAt: minutes(99) })
          const last = yield* given(two.id, { status: "resolved", resolvedAt: minutes(6) })
          yield* given(two.id, { status: "resolved", resolvedAt: minutes(4), lastActivityAt: minutes(98) })
          yield* given(three.id, {})
          const taken = yield* transact(
            lockLatest([
              { contactId: one.id, chatAccountId: account },
              { contactId: one.id, chatAccountId: another },
              { contactId: two.id, chatAccountId: account },
              { contactId: two.id, chatAccountId: another },
              { contactId: fresh.id, chatAccountId: account },
              { contactId: two.id, chatAccountId: account }
            ])
          )
          assert.deepStrictEqual(sorted(idsOf(taken)), sorted([unresolved.id, elsewhere.id, last.id]))
          assert.deepStrictEqual(yield* transact(lockLatest([])), [])
        })
      )
    )

    it.effect("allows one unresolved conversation of a pair, and stores no batch with a second one", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const contact = yield* givenContact()
          const there = yield* givenConversation({ contactId: contact.id, status: "pending" })
          const pair = { contactId: contact.id, chatAccountId: there.chatAccountId }
          const other = newConversation({ contactId: contact.id, chatAccountId: freshId(ChatAccountId) })
          const clash = yield* Effect.flip(insertConversations([other, newConversation(pair)]))
          assert.strictEqual(clash.conversationId, there.id)
          assert.strictEqual((yield* Effect.flip(storedConversation(other.id)))._tag, "NotFound")

          const former = yield* givenConversation({ ...pair, status: "resolved" })
          yield* givenConversation({ ...pair, status: "resolved" })
          const touched = newConversation({ ...other, priority: "high" })
          yield* insertConversations([other])
          const reopened = newConversation({ ...former, status: "open", resolvedAt: null })
          const again = yield* Effect.flip(saveConversations([touched, reopened]))
          assert.strictEqual(again.conversationId, there.id)
          assert.strictEqual((yield* storedConversation(other.id)).conversation.priority, "none")
          assert.strictEqual((yield* storedConversation(former.id)).conversation.status, "resolved")

          const twins = [0, 1].map(() =>
            newConversation({ contactId: contact.id, chatAccountId: freshId(ChatAccountId) })
          )
          const [first, second] = twins
          if (first === undefined || second === undefined) return assert.fail()
          const within = yield* Effect.flip(
            insertConversations([first, newConversation({ ...second, chatAccountId: first.chatAccountId })])
          )
          assert.include(idsOf(twins), within.conversationId)
          assert.strictEqual((yield* Effect.flip(storedConversation(first.id)))._tag, "NotFound")
        })
      )
    )

    it.effect("continues a unit of work after a conflict with an unresolved conversation", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const there = yield* givenConversation()
          const another = newConversation({ contactId: there.contactId, chatAccountId: freshId(ChatAccountId) })
          yield* transact(
            Effect.gen(function* () {
              const port = yield* Conversations
              yield* Effect.flip(port.insert([newConversation({ ...there, id: freshId(ConversationId) })]))
              yield* port.insert([another])
            })
          )
          assert.strictEqual((yield* storedConversation(another.id)).conversation.id, another.id)
        })
      )
    )

    it.effect("resolves one conversation of a pair and reopens another together", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const unresolved = yield* givenConversation()
          const { chatAccountId, contactId } = unresolved
          const former = yield* givenConversation({ chatAccountId, contactId, status: "resolved" })
          yield* saveConversations([
            newConversation({ ...former, status: "open", resolvedAt: null }),
            newConversation({ ...unresolved, status: "resolved", resolvedAt: evening })
          ])
          assert.deepStrictEqual(
            (yield* Effect.forEach([unresolved, former], ({ id }) => storedConversation(id))).map(
              ({ conversation: { status } }) => status
            ),
            ["resolved", "open"]
          )
        })
      )
    )

    it.effect("opens one conversation under concurrency", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const { id: contactId } = yield* givenContact()
          const pair = { contactId, chatAccountId: freshId(ChatAccountId) }
          const opened = yield* Effect.all(
            Array.from({ length: 12 }, () => openConversation(pair)),
            { concurrency: "unbounded" }
          )
          assert.strictEqual(new Set(opened).size, 1)
          assert.deepStrictEqual(yield* countsFor(null), { ...noConversations, open: 1, unassigned: 1 })
        })
      )
    )

    if (overlap === "writers") {
      it.effect("serializes locks of a pair across units of work, also without a conversation", () =>
        inNewOrganization(
          Effect.gen(function* () {
            const { id: contactId } = yield* givenContact()
            const pair = { contactId, chatAccountId: freshId(ChatAccountId) }
            const asked = yield* Deferred.make<void>()
            const go = yield* Deferred.make<void>()
            const conversation = newConversation(pair)
            const first = yield* Effect.forkChild(
              transact(
                Effect.gen(function* () {
                  yield* lockLatest([pair])
                  yield* Deferred.succeed(asked, undefined)
                  yield* Deferred.await(go)
                  yield* (yield* Conversations).insert([conversation])
                })
              )
            )
            yield* Deferred.await(asked)
            const second = yield* Effect.forkChild(transact(lockLatest([pair])))
            yield* Deferred.succeed(go, undefined)
            yield* Fiber.join(first)
            assert.deepStrictEqual(idsOf(yield* Fiber.join(second)), [conversation.id])
          })
        )
      )
    }
  }
}

/** Checks an adapter against the contract of the unresolved conversation of a pair. */
export const conversationPairsContract = runContract(conversationPairs)
