import { assert } from "@effect/vitest"
import { CurrentOrganization, transact } from "@parley/domain/kernel"
import { LaneQueue, shardOf } from "@parley/domain/platform"
import { SendQueue, sendTaskName } from "@parley/domain/messaging"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { inNewOrganization, sorted } from "../../crm/given.ts"
import { outside } from "../../given.ts"
import { at } from "../../platform/background/given.ts"
import { givenConversation, givenMessage } from "./given.ts"
import { begin, enqueue, givenConnected, givenSend, givenSender, messagesOf, only, settle } from "./givenSends.ts"

/** Contract of `QueuedSends` with `SendQueue`. */
export const sendQueue: StorageContract = {
  port: "SendQueue",
  promises: (it) => {
    it.effect("gives a message to its sender with all required data", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConversation()
          const { readOf } = yield* givenSender
          const read = readOf(conversation)
          const messageId = yield* givenSend(conversation, at(10))
          assert.deepStrictEqual(yield* read(9), [])
          const { lane, reader, revision, ...lease } = only(yield* read(10))
          assert.deepStrictEqual([lane.key, revision], [conversation.chatAccountId, 0])
          assert.notStrictEqual(reader, only(yield* read(10)).reader)
          assert.deepStrictEqual(lease, {
            messageId,
            conversationId: conversation.id,
            chatAccountId: conversation.chatAccountId,
            attempts: 1,
            failures: 0,
            interrupted: false,
            hasBegun: false
          })
          assert.deepStrictEqual(yield* read(59, [messageId]), [], "it is in hand")
        })
      )
    )

    it.effect("wakes the lane of the account when a message is queued", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConversation()
          yield* givenSend(conversation, at(10))
          const { id: organizationId } = yield* CurrentOrganization
          const lane = { task: sendTaskName, organizationId, key: conversation.chatAccountId }
          const found = Effect.flatMap(LaneQueue, (queue) =>
            queue.due({ task: sendTaskName, shards: [shardOf(lane)], except: [], now: at(10), limit: 10_000 })
          )
          const mine = (yield* outside(found)).filter(({ key }) => key === lane.key)
          assert.deepStrictEqual(
            mine.map(({ dueAt, priority }) => [dueAt, priority]),
            [[at(10), "person"]]
          )
        })
      )
    )

    it.effect("sends messages of a conversation in order, and different conversations in parallel", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const one = yield* givenConversation()
          const other = yield* givenConversation({ chatAccountId: one.chatAccountId })
          const { readOf } = yield* givenSender
          const read = readOf(one, other)
          const first = yield* givenSend(one, at(2))
          const second = yield* givenSend(one, at(1))
          const third = yield* givenSend(one, at(0))
          const elsewhere = yield* givenSend(other, at(3))
          const leases = yield* read(5)
          assert.deepStrictEqual(messagesOf(leases), sorted([first, elsewhere]))
          assert.deepStrictEqual(yield* read(6, [first, elsewhere]), [])
          const lease = leases.find(({ messageId }) => messageId === first) ?? assert.fail()
          assert.isTrue(yield* settle(lease))
          const next = only(yield* read(7, [elsewhere]))
          assert.strictEqual(next.messageId, second)
          const queue = yield* SendQueue
          assert.isTrue(yield* queue.postpone(next, at(30)))
          assert.deepStrictEqual(yield* read(8, [elsewhere]), [], "what is postponed holds up what comes after it")
          const again = only(yield* read(30, [elsewhere]))
          assert.deepStrictEqual([again.messageId, again.attempts, again.interrupted], [second, 2, false])
          yield* settle(again)
          assert.strictEqual(only(yield* read(31, [elsewhere])).messageId, third)
        })
      )
    )

    it.effect("returns the next due time of an account, and reads no more than requested", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const queue = yield* SendQueue
          const one = yield* givenConnected()
          const other = yield* givenConversation({ chatAccountId: one.chatAccountId })
          const elsewhere = yield* givenConnected()
          const { readOf } = yield* givenSender
          assert.isNull(yield* queue.nextDue(one.chatAccountId))
          yield* queue.rest(one.chatAccountId, at(3))
          assert.isNull(yield* queue.nextDue(one.chatAccountId), "nothing waits for the end of its rest")
          yield* givenSend(one, at(9))
          yield* givenSend(other, at(5))
          yield* givenSend(elsewhere, at(1))
          assert.deepStrictEqual(yield* queue.nextDue(one.chatAccountId), at(5))
          assert.strictEqual((yield* readOf(one, other)(10, [], 1)).length, 1)
          assert.strictEqual((yield* readOf(one, other)(10)).length, 2)
        })
      )
    )

    it.effect("keeps a message that was settled in a unit of work that failed", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConversation()
          const { readOf } = yield* givenSender
          const messageId = yield* givenSend(conversation)
          const queue = yield* SendQueue
          const lease = only(yield* readOf(conversation)(0))
          yield* Effect.flip(transact(Effect.andThen(queue.settleAll([lease]), Effect.fail("undone"))))
          assert.strictEqual(only(yield* readOf(conversation)(0)).messageId, messageId)
          yield* begin(lease)
        })
      )
    )

    it.effect("treats a message that is queued again as a new one, after all waiting messages", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConversation()
          const { readOf } = yield* givenSender
          const read = readOf(conversation)
          const message = yield* givenMessage(conversation)
          yield* enqueue(conversation, message)
          const lost = yield* begin(only(yield* read(0)))
          const next = yield* givenSend(conversation)
          yield* enqueue(conversation, message, at(1))
          assert.isFalse(yield* settle(lost))
          const lease = only(yield* read(2))
          assert.strictEqual(lease.messageId, next)
          yield* settle(lease)
          const again = only(yield* read(2))
          assert.deepStrictEqual([again.messageId, again.attempts, again.interrupted], [message.id, 1, false])
        })
      )
    )
  }
}

/** Runs the promises of `SendQueue`. */
export const sendQueueContract = runContract(sendQueue)
