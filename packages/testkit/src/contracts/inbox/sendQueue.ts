import { assert } from "@effect/vitest"
import {
  ChatAccount,
  ChatAccounts,
  type Conversation,
  CurrentOrganization,
  type Message,
  type SendLease,
  SendQueue,
  Sends,
  transact
} from "@parley/domain"
import { DateTime, Effect, Fiber } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { givenAccount, reviveAccount } from "../chat/given.ts"
import { inNewOrganization, sorted } from "../crm/given.ts"
import { freshText, outside } from "../given.ts"
import { givenConversation, givenMessage } from "./given.ts"

/** Long before anything else that waits: what the contract claims is its own, or what it left. */
const dawn = DateTime.makeUnsafe("2001-01-01T00:00:00Z")
const at = (seconds: number) => DateTime.add(dawn, { seconds })

const enqueue = ({ chatAccountId, id: conversationId }: Conversation, { id: messageId }: Message, now = dawn) =>
  transact(Effect.flatMap(Sends, (sends) => sends.enqueue({ messageId, conversationId, chatAccountId, now })))

const givenSend = Effect.fnUntraced(function* (conversation: Conversation, now = dawn) {
  const message = yield* givenMessage(conversation, {
    direction: "outbound",
    status: "queued",
    providerMessageId: null
  })
  yield* enqueue(conversation, message, now)
  return message.id
})

/** What can be claimed then of these conversations, whatever else waits. */
const claimedOf =
  (...conversations: ReadonlyArray<Conversation>) =>
  (seconds: number, until: number, sender = freshText("sender")) =>
    outside(
      Effect.map(
        Effect.flatMap(SendQueue, (queue) =>
          queue.claim({ sender, now: at(seconds), until: at(until), limit: 10_000 })
        ),
        (leases) => leases.filter((lease) => conversations.some(({ id }) => id === lease.conversationId))
      )
    )

/** A conversation over a number that is connected. */
const givenConnected = Effect.fnUntraced(function* () {
  return yield* givenConversation({ chatAccountId: (yield* givenAccount()).id })
})

const removeUntil = ({ id }: ChatAccount, sendsWaitUntil: DateTime.Utc) =>
  transact(Effect.flatMap(ChatAccounts, (accounts) => accounts.remove(id, { at: dawn, sendsWaitUntil }, null)))

const settle = (lease: SendLease) => outside(transact(Effect.flatMap(SendQueue, (queue) => queue.settle(lease))))

const messagesOf = (leases: ReadonlyArray<SendLease>) => sorted(leases.map(({ messageId }) => messageId))

const only = (leases: ReadonlyArray<SendLease>): SendLease => {
  assert.strictEqual(leases.length, 1)
  return leases[0] ?? assert.fail()
}

/** What every `Sends` and `SendQueue` promise together. */
export const sendQueue: StorageContract = {
  port: "SendQueue",
  promises: (it) => {
    it.effect("gives a message to one sender, with all that it needs to know", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConversation()
          const claim = claimedOf(conversation)
          const messageId = yield* givenSend(conversation, at(10))
          assert.deepStrictEqual(yield* claim(9, 60), [])
          const { organizationId: _, ...lease } = only(yield* claim(10, 60, "the sender"))
          assert.deepStrictEqual(lease, {
            messageId,
            conversationId: conversation.id,
            chatAccountId: conversation.chatAccountId,
            sender: "the sender",
            attempts: 1,
            failures: 0,
            interrupted: false
          })
          assert.deepStrictEqual(yield* claim(59, 99), [])
        })
      )
    )

    it.effect("sends the messages of a conversation one at a time and in order, those of others meanwhile", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const [one, other] = [yield* givenConversation(), yield* givenConversation()]
          const claim = claimedOf(one, other)
          const first = yield* givenSend(one, at(2))
          const second = yield* givenSend(one, at(1))
          const third = yield* givenSend(one, at(0))
          const elsewhere = yield* givenSend(other, at(3))
          const claimed = yield* claim(5, 60)
          assert.deepStrictEqual(messagesOf(claimed), sorted([first, elsewhere]))
          assert.deepStrictEqual(yield* claim(6, 60), [])
          const lease = claimed.find(({ messageId }) => messageId === first) ?? assert.fail()
          assert.isTrue(yield* settle(lease))
          const next = only(yield* claim(7, 60))
          assert.strictEqual(next.messageId, second)
          yield* outside(Effect.flatMap(SendQueue, (queue) => queue.postpone(next, at(30))))
          assert.deepStrictEqual(yield* claim(8, 60), [], "what is postponed holds up what comes after it")
          const again = only(yield* claim(30, 60))
          assert.deepStrictEqual([again.messageId, again.attempts, again.interrupted], [second, 2, false])
          yield* settle(again)
          assert.strictEqual(only(yield* claim(31, 60)).messageId, third)
        })
      )
    )

    it.effect("gives each message to one of many who claim at once", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversations = yield* Effect.replicateEffect(givenConversation(), 12)
          const expected: Array<string> = []
          for (const conversation of conversations) {
            expected.push(yield* givenSend(conversation))
            yield* givenSend(conversation)
          }
          const claims = yield* Effect.replicateEffect(claimedOf(...conversations)(1, 60), 8, {
            concurrency: "unbounded"
          })
          assert.deepStrictEqual<ReadonlyArray<string>>(messagesOf(claims.flat()), sorted(expected))
        })
      )
    )

    it.effect("lets nobody act on a lease that somebody else has taken over", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConversation()
          const claim = claimedOf(conversation)
          yield* givenSend(conversation)
          const queue = yield* SendQueue
          const lost = only(yield* claim(0, 10, "same sender"))
          assert.isTrue(yield* outside(queue.renew(lost, at(20))))
          assert.deepStrictEqual(yield* claim(19, 40), [])
          const held = only(yield* claim(20, 40, "same sender"))
          assert.deepStrictEqual([held.attempts, held.interrupted], [2, false])
          assert.isFalse(yield* outside(queue.renew(lost, at(99))))
          assert.isFalse(yield* outside(queue.begin(lost, at(99))))
          assert.isFalse(yield* outside(queue.postpone(lost, at(99))))
          assert.isFalse(yield* settle(lost))
          assert.isTrue(yield* outside(queue.renew(held, at(50))))
          assert.isTrue(yield* settle(held))
          assert.isFalse(yield* settle(held))
          assert.deepStrictEqual(yield* claim(10_000, 10_001), [])
        })
      )
    )

    it.effect("says that an earlier sender had begun, until it is known that nothing was sent", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConversation()
          const claim = claimedOf(conversation)
          yield* givenSend(conversation)
          const queue = yield* SendQueue
          const first = only(yield* claim(0, 10))
          assert.isTrue(yield* outside(queue.begin(first, at(20))))
          assert.deepStrictEqual(yield* claim(19, 40), [])
          const second = only(yield* claim(20, 30))
          assert.deepStrictEqual([second.attempts, second.interrupted], [2, true])
          const third = only(yield* claim(30, 40))
          assert.isTrue(third.interrupted)
          assert.isTrue(yield* outside(queue.postpone(third, at(50))))
          assert.isFalse(yield* outside(queue.renew(third, at(99))), "it is in nobody's hands")
          assert.deepStrictEqual(yield* claim(49, 60), [])
          const fourth = only(yield* claim(50, 60))
          assert.deepStrictEqual([fourth.attempts, fourth.interrupted], [4, false])
        })
      )
    )

    it.effect("takes a message that was given back as one that was never claimed", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConversation()
          const claim = claimedOf(conversation)
          const messageId = yield* givenSend(conversation)
          const queue = yield* SendQueue
          const first = only(yield* claim(0, 60))
          assert.isTrue(yield* outside(queue.giveBack(first, at(5))))
          assert.isFalse(yield* outside(queue.giveBack(first, at(6))), "it is in nobody's hands")
          assert.deepStrictEqual(yield* claim(4, 60), [])
          const again = only(yield* claim(5, 60))
          assert.deepStrictEqual([again.messageId, again.attempts, again.interrupted], [messageId, 1, false])
          // The storage went away while the call was about to begin.
          assert.isTrue(yield* outside(queue.begin(again, at(60))))
          assert.isTrue(yield* outside(queue.giveBack(again, at(5))))
          const third = only(yield* claim(5, 60))
          assert.deepStrictEqual([third.messageId, third.attempts, third.interrupted], [messageId, 1, false])
        })
      )
    )

    it.effect("lets an account rest, and counts how many of its calls in a row came to nothing", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const [ailing, other] = [yield* givenConnected(), yield* givenConnected()]
          const claim = claimedOf(ailing, other)
          const first = yield* givenSend(ailing)
          const queue = yield* SendQueue
          const lease = only(yield* claim(0, 10))
          assert.deepStrictEqual(
            yield* outside(
              Effect.all([queue.callFailed(lease, 9), queue.callFailed(lease, 9), queue.callFailed(lease, 2)])
            ),
            [1, 2, 2]
          )
          yield* outside(queue.postpone(lease, at(10)))
          yield* outside(queue.rest(lease, at(20)))
          yield* outside(queue.rest(lease, at(15)))
          const elsewhere = yield* givenSend(other, at(11))
          const free = only(yield* claim(19, 30))
          assert.deepStrictEqual([free.messageId, free.failures], [elsewhere, 0])
          const again = only(yield* claim(20, 30))
          assert.deepStrictEqual([again.messageId, again.attempts, again.failures], [first, 2, 2])
          yield* outside(queue.rest(lease, at(99)))
          yield* outside(queue.callAnswered(again))
          assert.isTrue(yield* settle(again))
          const next = yield* givenSend(ailing)
          const healed = only(yield* claim(21, 31))
          assert.deepStrictEqual([healed.messageId, healed.failures], [next, 0])
        })
      )
    )

    it.effect("has what is queued wait for an account that was removed, and go on when it is revived", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const queue = yield* SendQueue
          const account = yield* givenAccount()
          const [one, two] = [
            yield* givenConversation({ chatAccountId: account.id }),
            yield* givenConversation({ chatAccountId: account.id })
          ]
          const other = yield* givenConnected()
          const claim = claimedOf(one, two, other)
          const [first, second] = [yield* givenSend(one), yield* givenSend(one, at(30))]
          const called = yield* givenSend(two)
          const elsewhere = yield* givenSend(other)
          const leases = yield* claim(0, 10)
          const lease = leases.find(({ messageId }) => messageId === first) ?? assert.fail()
          const begun = leases.find(({ messageId }) => messageId === called) ?? assert.fail()
          assert.isTrue(yield* outside(queue.begin(begun, at(10))))
          yield* removeUntil(account, at(100))
          assert.isFalse(
            yield* outside(queue.begin(lease, at(11))),
            "it may not be called over a number that was removed"
          )
          assert.isFalse(yield* outside(queue.giveBack(lease, at(11))))
          const meanwhile = yield* claim(99, 99)
          assert.deepStrictEqual(messagesOf(meanwhile), sorted([called, elsewhere]))
          assert.isTrue(meanwhile.every(({ interrupted, messageId }) => interrupted === (messageId === called)))
          for (const each of meanwhile) yield* settle(each)
          const waited = only(yield* claim(100, 101))
          assert.deepStrictEqual([waited.messageId, waited.interrupted], [first, false])
          yield* outside(queue.rest(waited, at(900)))
          yield* outside(queue.callFailed(waited, 9))
          yield* reviveAccount(new ChatAccount({ ...account, updatedAt: at(100) }))
          assert.isFalse(yield* outside(queue.begin(waited, at(200))), "whoever found no number has lost it")
          const again = only(yield* claim(100, 200))
          assert.deepStrictEqual([again.messageId, again.attempts, again.failures], [first, 1, 0])
          yield* settle(again)
          const next = only(yield* claim(100, 200))
          assert.strictEqual(next.messageId, second)
          yield* settle(next)
        })
      )
    )

    it.effect("wakes those who wait for news when an account is revived", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const queue = yield* SendQueue
          const account = yield* givenAccount()
          const conversation = yield* givenConversation({ chatAccountId: account.id })
          const messageId = yield* givenSend(conversation)
          yield* removeUntil(account, at(100))
          yield* outside(queue.awaitNews)
          const claim = claimedOf(conversation)
          assert.deepStrictEqual(yield* claim(1, 2), [])
          const woken = yield* Effect.forkChild(
            outside(
              Effect.gen(function* () {
                let found: ReadonlyArray<SendLease> = []
                while (found.length === 0) {
                  yield* queue.awaitNews
                  found = yield* claim(1, 2)
                }
                return found
              })
            )
          )
          yield* reviveAccount(new ChatAccount({ ...account, updatedAt: dawn }))
          assert.deepStrictEqual(messagesOf(yield* Fiber.join(woken)), [messageId])
        })
      )
    )

    it.effect("hands over what an account was called for, also while it rests", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConnected()
          const claim = claimedOf(conversation)
          const messageId = yield* givenSend(conversation)
          const queue = yield* SendQueue
          const lease = only(yield* claim(0, 10))
          yield* outside(queue.begin(lease, at(10)))
          yield* outside(queue.rest(lease, at(99)))
          const taken = only(yield* claim(10, 20))
          assert.deepStrictEqual([taken.messageId, taken.interrupted], [messageId, true])
        })
      )
    )

    it.effect("knows that nothing is due while an account rests", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const queue = yield* SendQueue
          const dusk = DateTime.makeUnsafe("1998-01-01T00:00:00Z")
          const later = DateTime.add(dusk, { seconds: 20 })
          const conversation = yield* givenConnected()
          yield* givenSend(conversation, dusk)
          yield* givenSend(conversation, dusk)
          const { chatAccountId, messageId } = only(yield* claimedOf(conversation)(0, 0))
          const organizationId = (yield* CurrentOrganization).id
          yield* outside(queue.rest({ organizationId, chatAccountId }, later))
          const claim = { sender: freshText("sender"), now: dusk, until: dusk, limit: 10_000 }
          assert.deepStrictEqual(yield* outside(queue.claim(claim)), [])
          const due = yield* outside(queue.nextDue)
          assert.isTrue(due !== null && DateTime.isGreaterThanOrEqualTo(due, later), messageId)
        })
      )
    )

    it.effect("keeps a message that was settled in a unit of work that failed", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConversation()
          const claim = claimedOf(conversation)
          const messageId = yield* givenSend(conversation)
          const queue = yield* SendQueue
          const lease = only(yield* claim(0, 10))
          yield* Effect.flip(outside(transact(Effect.andThen(queue.settle(lease), Effect.fail("undone")))))
          assert.isTrue(yield* outside(queue.renew(lease, at(12))))
          assert.strictEqual(only(yield* claim(12, 20)).messageId, messageId)
        })
      )
    )

    it.effect("takes a message that is put in again for a new one, after all that wait", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConversation()
          const claim = claimedOf(conversation)
          const message = yield* givenMessage(conversation)
          yield* enqueue(conversation, message)
          const lost = only(yield* claim(0, 99))
          yield* outside(Effect.flatMap(SendQueue, (queue) => queue.begin(lost, at(99))))
          const next = yield* givenSend(conversation)
          yield* enqueue(conversation, message, at(1))
          assert.isFalse(yield* settle(lost))
          const lease = only(yield* claim(2, 99))
          assert.strictEqual(lease.messageId, next)
          yield* settle(lease)
          const again = only(yield* claim(2, 99))
          assert.deepStrictEqual([again.messageId, again.attempts, again.interrupted], [message.id, 1, false])
        })
      )
    )

    it.effect("knows when the next one is due, and takes no more than are wanted", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const queue = yield* SendQueue
          const early = DateTime.makeUnsafe("1999-01-01T00:00:00Z")
          const [one, other] = [yield* givenConversation(), yield* givenConversation()]
          yield* givenSend(one, early)
          yield* givenSend(other, early)
          const due = yield* outside(queue.nextDue)
          assert.strictEqual(due === null ? null : DateTime.formatIso(due), DateTime.formatIso(early))
          const claim = { sender: freshText("sender"), now: early, until: DateTime.add(early, { seconds: 1 }) }
          assert.strictEqual((yield* outside(queue.claim({ ...claim, limit: 1 }))).length, 1)
          yield* outside(queue.claim({ ...claim, until: at(0), limit: 10_000 }))
          yield* outside(queue.claim({ ...claim, now: at(-1), until: at(0), limit: 10_000 }))
          const later = yield* outside(queue.nextDue)
          assert.isTrue(later !== null && DateTime.isGreaterThanOrEqualTo(later, at(0)))
        })
      )
    )

    it.effect("wakes those who wait for news when a message was put in", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const queue = yield* SendQueue
          const conversation = yield* givenConversation()
          const messageId = yield* givenSend(conversation)
          yield* outside(queue.awaitNews)
          const claim = claimedOf(conversation)
          assert.strictEqual(only(yield* claim(0, 1)).messageId, messageId)
          const other = yield* givenConversation()
          const woken = yield* Effect.forkChild(
            outside(
              Effect.gen(function* () {
                let found: ReadonlyArray<SendLease> = []
                while (found.length === 0) {
                  yield* queue.awaitNews
                  found = yield* claimedOf(other)(0, 1)
                }
                return found
              })
            )
          )
          const next = yield* givenSend(other)
          assert.deepStrictEqual(messagesOf(yield* Fiber.join(woken)), [next])
        })
      )
    )
  }
}

/** Checks an adapter against what every `Sends` and `SendQueue` promise together. */
export const sendQueueContract = runContract(sendQueue)
