import { assert } from "@effect/vitest"
import { transact, UserId } from "@parley/domain/kernel"
import { AssignedConversations, Conversations, type ConversationStatus } from "@parley/domain/messaging"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { evening, idsOf, inNewOrganization, sorted } from "../../crm/given.ts"
import { freshId } from "../../given.ts"
import { everything, givenConversation } from "./given.ts"

const statuses: ReadonlyArray<ConversationStatus> = ["open", "pending", "snoozed", "resolved"]

export const assignedConversations: StorageContract = {
  port: "AssignedConversations",
  promises: (it) => {
    it.effect("unassigns all conversations of a user, in every status, and no others", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const port = yield* AssignedConversations
          const [leaving, staying] = [freshId(UserId), freshId(UserId)]
          const held = yield* Effect.forEach(statuses, (status) => givenConversation({ status, assigneeId: leaving }))
          const others = [yield* givenConversation({ assigneeId: staying }), yield* givenConversation()]
          assert.deepStrictEqual(sorted(yield* transact(port.release(leaving, evening))), sorted(idsOf(held)))
          assert.deepStrictEqual(yield* transact(port.release(leaving, evening)), [])
          const conversations = yield* Conversations
          for (const before of held) {
            const { conversation } = yield* conversations.get(before.id)
            assert.deepStrictEqual(
              { ...conversation },
              { ...before, assigneeId: null, updatedAt: evening, version: before.version + 1 }
            )
          }
          for (const before of others) {
            assert.deepStrictEqual((yield* conversations.get(before.id)).conversation, before)
          }
          const mine = { ...everything, assignee: leaving }
          assert.deepStrictEqual((yield* conversations.list(mine, { limit: 10, after: null })).rows, [])
          const counts = yield* conversations.counts(leaving)
          assert.deepStrictEqual([counts.mine, counts.unassigned, counts.resolved], [0, 4, 1])
        })
      )
    )
  }
}

/** Checks an adapter against the contract of `AssignedConversations`. */
export const assignedConversationsContract = runContract(assignedConversations)
