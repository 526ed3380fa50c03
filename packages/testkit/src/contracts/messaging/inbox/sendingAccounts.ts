import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { LaneQueue } from "@parley/domain/platform"
import { ChatAccount, ChatAccounts, SendQueue, sendTaskName } from "@parley/domain/messaging"
import { type DateTime, Effect, Fiber } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { inNewOrganization, sorted } from "../../crm/given.ts"
import { outside } from "../../given.ts"
import { at, dawn } from "../../platform/background/given.ts"
import { givenAccount, reviveAccount } from "../chat/given.ts"
import { givenConversation } from "./given.ts"
import { begin, givenConnected, givenSend, givenSender, messagesOf, only, settle, tryBegin } from "./givenSends.ts"

const removeUntil = ({ id }: ChatAccount, sendsWaitUntil: DateTime.Utc) =>
  transact(Effect.flatMap(ChatAccounts, (accounts) => accounts.remove(id, { at: dawn, sendsWaitUntil }, null)))

export const sendingAccounts: StorageContract = {
  port: "SendQueue (accounts)",
  promises: (it) => {
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

    it.effect("returns an interrupted call of an account that rests", () =>
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
  }
}

/** Checks an adapter against the contract of accounts that rest, are removed or are revived. */
export const sendingAccountsContract = runContract(sendingAccounts)
