import { assert } from "@effect/vitest"
import { transact, UserId } from "@parley/domain/kernel"
import { ContactMergeId } from "@parley/domain/crm"
import { ChatAccountId, ContactConversations, Conversations } from "@parley/domain/messaging"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { evening, givenContact, inNewOrganization } from "../../crm/given.ts"
import { freshId } from "../../given.ts"
import { givenConversation, minutes, newConversation, saveConversations, countsFor, noConversations } from "./given.ts"

export const conversationCounts: StorageContract = {
  port: "Conversations (counts)",
  promises: (it) => {
    it.effect("counts conversations correctly after every change", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const [me, another] = [freshId(UserId), freshId(UserId)]
          assert.deepStrictEqual(yield* countsFor(me), noConversations)
          const mine = yield* givenConversation({ assigneeId: me, inboundCount: 2, readCount: 1 })
          const pending = yield* givenConversation({ status: "pending", inboundCount: 1 })
          yield* givenConversation({ status: "snoozed", assigneeId: another, inboundCount: 3, readCount: 3 })
          yield* givenConversation({ status: "resolved", assigneeId: me, inboundCount: 1 })
          const before = { open: 1, pending: 1, snoozed: 1, resolved: 1, mine: 1, unassigned: 1, unread: 2 }
          assert.deepStrictEqual(yield* countsFor(me), before)
          assert.deepStrictEqual(yield* countsFor(null), { ...before, mine: 0 })

          yield* saveConversations([
            newConversation({ ...mine, status: "resolved", resolvedAt: evening }),
            newConversation({ ...pending, status: "open", assigneeId: me, readCount: 1 })
          ])
          const later = { open: 1, pending: 0, snoozed: 1, resolved: 2, mine: 1, unassigned: 0, unread: 0 }
          assert.deepStrictEqual(yield* countsFor(me), later)
          const undone = yield* Effect.exit(
            transact(
              Effect.andThen(
                (yield* Conversations).saveAll([newConversation({ ...mine, status: "open", resolvedAt: null })]),
                Effect.fail("undone" as const)
              )
            )
          )
          assert.strictEqual(undone._tag, "Failure")
          assert.deepStrictEqual(yield* countsFor(me), later)
          yield* saveConversations([newConversation({ ...mine, status: "open", resolvedAt: null })])
          assert.deepStrictEqual(yield* countsFor(me), {
            ...later,
            open: 2,
            resolved: 1,
            mine: 2,
            unread: 1
          })
        })
      )
    )

    it.effect("counts changes of conversations with their contacts", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const [from, to] = [yield* givenContact(), yield* givenContact()]
          const chatAccountId = freshId(ChatAccountId)
          yield* givenConversation({ contactId: from.id, chatAccountId })
          yield* givenConversation({ contactId: to.id, chatAccountId, inboundCount: 1, lastActivityAt: minutes(1) })
          yield* givenConversation({ contactId: from.id, chatAccountId, status: "resolved" })
          yield* givenConversation({ status: "resolved" })
          const contacts = yield* ContactConversations
          yield* transact(contacts.handOver(from.id, to.id, freshId(ContactMergeId), evening))
          assert.deepStrictEqual(yield* countsFor(null), {
            ...noConversations,
            open: 1,
            resolved: 3,
            unassigned: 1,
            unread: 1
          })
          yield* transact(contacts.forget([to.id]))
          assert.deepStrictEqual(yield* countsFor(null), { ...noConversations, resolved: 1 })
        })
      )
    )
  }
}

/** Checks an adapter against the contract of the counts of conversations. */
export const conversationCountsContract = runContract(conversationCounts)
