import { assert } from "@effect/vitest"
import { CurrentOrganization, transact } from "@parley/domain/kernel"
import { LaneQueue, shardOf } from "@parley/domain/platform"
import { ChatAccount, ChatAccounts, SendQueue, sendTaskName } from "@parley/domain/messaging"
import { type DateTime, Deferred, Effect, Fiber } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { givenAccount, reviveAccount } from "../chat/given.ts"
import { inNewOrganization, sorted } from "../../crm/given.ts"
import { outside } from "../../given.ts"
import { at, dawn } from "../../platform/background/given.ts"
import { givenConversation, givenMessage } from "./given.ts"
import {
  begin,
  enqueue,
  givenConnected,
  givenSend,
  givenSender,
  messagesOf,
  only,
  settle,
  tryBegin
} from "./givenSends.ts"

const removeUntil = ({ id }: ChatAccount, sendsWaitUntil: DateTime.Utc) =>
  transact(Effect.flatMap(ChatAccounts, (accounts) => accounts.remove(id, { at: dawn, sendsWaitUntil }, null)))

/** Contract of `QueuedSends` with `SendQueue`. */
export const sendQueue: StorageContract = {
  port: "SendQueue",
  promises: (it, overlap) => {
    it.effect("gives a message to its sender, with all that it needs to know", () =>
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

    it.effect("accepts no change from a stale read", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConversation()
          const { readOf } = yield* givenSender
          const read = readOf(conversation)
          yield* givenSend(conversation)
          const queue = yield* SendQueue
          const [lost, held] = [only(yield* read(0)), only(yield* read(0))]
          const begun = yield* begin(held)
          assert.isNull(yield* tryBegin(lost))
          assert.isNull(yield* tryBegin(begun), "it has begun already")
          assert.isFalse(yield* queue.postpone(lost, at(99)))
          assert.isFalse(yield* settle(lost))
          assert.isTrue(yield* settle(begun))
          assert.isFalse(yield* settle(begun))
          assert.deepStrictEqual(yield* read(10_000), [])
        })
      )
    )

    it.effect("accepts starts, delays and settlements from the lane's owner only, but results of calls from all", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const [one, other] = [yield* givenConversation(), yield* givenConversation()]
          const queue = yield* SendQueue
          const former = yield* givenSender
          yield* givenSend(one)
          const called = yield* givenSend(other)
          const stale = only(yield* former.readOf(one)(0))
          const begun = yield* begin(only(yield* former.readOf(other)(0)))
          yield* former.leave
          const { readOf } = yield* givenSender
          assert.isNull(yield* tryBegin(stale))
          assert.isFalse(yield* queue.postpone(stale, at(9)))
          assert.isFalse(yield* queue.giveBack(stale, at(9)))
          assert.isFalse(yield* settle(stale))
          const taken = only(yield* readOf(other)(0))
          assert.deepStrictEqual([taken.messageId, taken.interrupted], [called, true])
          assert.isTrue(yield* settle(begun))
          assert.isFalse(yield* settle(taken))
          assert.isNotNull(yield* tryBegin(only(yield* readOf(one)(0))))
        })
      )
    )

    it.effect("says that an earlier sender had begun, until it is known that nothing was sent", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConversation()
          const { readOf } = yield* givenSender
          const read = readOf(conversation)
          yield* givenSend(conversation)
          const queue = yield* SendQueue
          const begun = yield* begin(only(yield* read(0)))
          const second = only(yield* read(0))
          assert.deepStrictEqual([second.attempts, second.interrupted], [1, true])
          assert.isTrue(yield* queue.postpone(begun, at(50)))
          assert.isFalse(yield* settle(second), "by now it is known that nothing was sent")
          assert.deepStrictEqual(yield* read(49), [])
          const third = only(yield* read(50))
          assert.deepStrictEqual([third.attempts, third.interrupted], [2, false])
        })
      )
    )

    it.effect("treats a returned message as never attempted", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConversation()
          const { readOf } = yield* givenSender
          const read = readOf(conversation)
          const messageId = yield* givenSend(conversation)
          const queue = yield* SendQueue
          const first = only(yield* read(0))
          assert.isTrue(yield* queue.giveBack(first, at(5)))
          assert.isFalse(yield* queue.giveBack(first, at(6)), "it was given back")
          assert.deepStrictEqual(yield* read(4), [])
          const again = only(yield* read(5))
          assert.deepStrictEqual([again.messageId, again.attempts, again.interrupted], [messageId, 1, false])
          // The storage failed during the start of the call, so it is unknown whether the start was stored.
          yield* begin(again)
          assert.isTrue(yield* queue.giveBack(again, at(5)))
          const third = only(yield* read(5))
          assert.deepStrictEqual([third.messageId, third.attempts, third.interrupted], [messageId, 1, false])
        })
      )
    )

    it.effect("gives back nothing that the next owner has begun", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConversation()
          const queue = yield* SendQueue
          const former = yield* givenSender
          yield* givenSend(conversation)
          const stale = only(yield* former.readOf(conversation)(0))
          yield* former.leave
          const { readOf } = yield* givenSender
          yield* begin(only(yield* readOf(conversation)(0)))
          assert.isFalse(yield* queue.giveBack(stale, at(0)))
          assert.isTrue(only(yield* readOf(conversation)(0)).interrupted)
        })
      )
    )

    it.effect("backs off an account and counts consecutive calls without an answer", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const [ailing, other] = [yield* givenConnected(), yield* givenConnected()]
          const { readOf } = yield* givenSender
          const read = readOf(ailing, other)
          const first = yield* givenSend(ailing)
          const queue = yield* SendQueue
          const { chatAccountId: account } = ailing
          const lease = only(yield* read(0))
          assert.deepStrictEqual(
            yield* Effect.all([
              queue.callFailed(account, 9),
              queue.callFailed(account, 9),
              queue.callFailed(account, 2)
            ]),
            [1, 2, 2]
          )
          yield* queue.postpone(lease, at(10))
          yield* queue.rest(account, at(20))
          yield* queue.rest(account, at(15))
          const elsewhere = yield* givenSend(other, at(11))
          const free = only(yield* read(19))
          assert.deepStrictEqual([free.messageId, free.failures], [elsewhere, 0])
          assert.deepStrictEqual(yield* queue.nextDue(account), at(20))
          assert.deepStrictEqual(yield* queue.standing(account), { failures: 2, restsUntil: at(20) })
          const again = only(yield* read(20, [elsewhere]))
          assert.deepStrictEqual([again.messageId, again.attempts, again.failures], [first, 2, 2])
          yield* queue.rest(account, at(99))
          yield* queue.callAnswered(account, 3)
          assert.deepStrictEqual(
            yield* queue.standing(account),
            { failures: 0, restsUntil: at(99) },
            "it rests for something else"
          )
          yield* queue.callFailed(account, 9)
          yield* queue.callAnswered(account, 1)
          assert.deepStrictEqual(yield* queue.standing(account), { failures: 0, restsUntil: null })
          assert.isTrue(yield* settle(again))
          const next = yield* givenSend(ailing)
          const healed = only(yield* read(21, [elsewhere]))
          assert.deepStrictEqual([healed.messageId, healed.failures], [next, 0])
        })
      )
    )

    it.effect("holds queued messages of a removed account, and continues after its revival", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const queue = yield* SendQueue
          const account = yield* givenAccount()
          const [one, two] = [
            yield* givenConversation({ chatAccountId: account.id }),
            yield* givenConversation({ chatAccountId: account.id })
          ]
          const other = yield* givenConnected()
          const { readOf } = yield* givenSender
          const read = readOf(one, two, other)
          const [first, second] = [yield* givenSend(one), yield* givenSend(one, at(30))]
          const called = yield* givenSend(two)
          const elsewhere = yield* givenSend(other)
          const leases = yield* read(0)
          const lease = leases.find(({ messageId }) => messageId === first) ?? assert.fail()
          yield* begin(leases.find(({ messageId }) => messageId === called) ?? assert.fail())
          yield* removeUntil(account, at(100))
          assert.isNull(yield* tryBegin(lease), "it may not be called over a number that was removed")
          assert.isFalse(yield* queue.giveBack(lease, at(11)))
          const meanwhile = yield* read(99)
          assert.deepStrictEqual(messagesOf(meanwhile), sorted([called, elsewhere]))
          assert.isTrue(meanwhile.every(({ interrupted, messageId }) => interrupted === (messageId === called)))
          for (const each of meanwhile) yield* settle(each)
          assert.deepStrictEqual(yield* queue.nextDue(account.id), at(100))
          const waited = only(yield* read(100))
          assert.deepStrictEqual([waited.messageId, waited.interrupted], [first, false])
          yield* queue.rest(account.id, at(900))
          yield* queue.callFailed(account.id, 9)
          yield* reviveAccount(new ChatAccount({ ...account, updatedAt: at(100) }))
          assert.isNull(yield* tryBegin(waited), "whoever found no number has lost it")
          const again = only(yield* read(100))
          assert.deepStrictEqual([again.messageId, again.attempts, again.failures], [first, 1, 0])
          yield* settle(again)
          const next = only(yield* read(100))
          assert.strictEqual(next.messageId, second)
          yield* settle(next)
        })
      )
    )

    it.effect("wakes waiting workers when an account is revived", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const lanes = yield* LaneQueue
          const account = yield* givenAccount()
          const conversation = yield* givenConversation({ chatAccountId: account.id })
          const messageId = yield* givenSend(conversation)
          const { readOf } = yield* givenSender
          yield* removeUntil(account, at(100))
          yield* outside(lanes.awaitNotification(sendTaskName))
          assert.deepStrictEqual(yield* readOf(conversation)(1), [])
          const woken = yield* Effect.forkChild(outside(lanes.awaitNotification(sendTaskName)))
          yield* reviveAccount(new ChatAccount({ ...account, updatedAt: dawn }))
          yield* Fiber.join(woken)
          assert.deepStrictEqual(messagesOf(yield* readOf(conversation)(1)), [messageId])
        })
      )
    )

    it.effect("hands over what an account was called for, also while it rests", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConnected()
          const { readOf } = yield* givenSender
          const messageId = yield* givenSend(conversation)
          const queue = yield* SendQueue
          yield* begin(only(yield* readOf(conversation)(0)))
          yield* queue.rest(conversation.chatAccountId, at(99))
          const taken = only(yield* readOf(conversation)(10))
          assert.deepStrictEqual([taken.messageId, taken.interrupted], [messageId, true])
          assert.deepStrictEqual(yield* queue.nextDue(conversation.chatAccountId), dawn)
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

    it.effect("takes a message that is put in again for a new one, after all that wait", () =>
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

    if (overlap === "writers") {
      it.effect("starts for only one owner with the same read, also after a lock wait", () =>
        inNewOrganization(
          Effect.gen(function* () {
            const conversation = yield* givenConversation()
            const { readOf } = yield* givenSender
            yield* givenSend(conversation)
            const [one, other] = [only(yield* readOf(conversation)(0)), only(yield* readOf(conversation)(0))]
            const hasBegun = yield* Deferred.make<void>()
            const mayCommit = yield* Deferred.make<void>()
            const first = yield* Effect.forkChild(
              transact(
                Effect.tap(tryBegin(one), () =>
                  Effect.andThen(Deferred.succeed(hasBegun, undefined), Deferred.await(mayCommit))
                )
              )
            )
            yield* Deferred.await(hasBegun)
            const second = yield* Effect.forkChild(tryBegin(other))
            yield* Deferred.succeed(mayCommit, undefined)
            assert.isNotNull(yield* Fiber.join(first))
            assert.isNull(yield* Fiber.join(second))
          })
        )
      )
    }
  }
}

/** Runs the promises of `SendQueue`. */
export const sendQueueContract = runContract(sendQueue)
