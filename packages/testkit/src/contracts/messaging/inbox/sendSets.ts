import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { MessageId, Messages, QueuedSends, type SendLease, SendQueue } from "@parley/domain/messaging"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { givenAccount } from "../chat/given.ts"
import { inNewOrganization, sorted, givenContact } from "../../crm/given.ts"
import { freshId, givenOrganization, inside, outside } from "../../given.ts"
import { at, dawn } from "../../platform/background/given.ts"
import { givenConversation, givenMessage, plainMessage } from "./given.ts"
import { begin, beginAll, givenSend, givenSender, messagesOf, settle, settleAll } from "./givenSends.ts"

/** Contract of `SendQueue` for messages that are started and settled in sets. */
export const sendSets: StorageContract = {
  port: "SendQueue, by sets",
  promises: (it) => {
    it.effect("starts the permitted sends, and returns them", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const first = yield* givenConversation()
          const { chatAccountId } = first
          const others = yield* Effect.forEach(Array.from({ length: 4 }), () => givenConversation({ chatAccountId }))
          const all = [first, ...others]
          const { readOf } = yield* givenSender
          const ids = yield* Effect.forEach(all, (conversation) => givenSend(conversation))
          const [begunElsewhere, settledElsewhere, putInAgain, follows, plain] = ids
          assert(begunElsewhere !== undefined && putInAgain !== undefined && plain !== undefined)
          const second = yield* givenSend(others[2] ?? assert.fail())
          const before = yield* readOf(...all)(0)
          const leaseOf = (leases: ReadonlyArray<SendLease>, id: MessageId | undefined) =>
            leases.find(({ messageId }) => messageId === id) ?? assert.fail()
          const between = yield* readOf(...all)(0)
          const theirs = yield* begin(leaseOf(between, begunElsewhere))
          yield* settle(leaseOf(between, settledElsewhere))
          yield* (yield* SendQueue).giveBack(leaseOf(between, putInAgain), dawn)
          yield* settle(leaseOf(between, follows))
          // Two messages of a conversation: a settled one and its successor.
          const next = leaseOf(yield* readOf(...all)(0), second)
          const begun = yield* beginAll([...before, next])
          assert.deepStrictEqual(messagesOf(begun), sorted([plain, second]))
          for (const { hasBegun, messageId, revision } of begun) {
            const was = leaseOf([...before, next], messageId)
            assert.deepStrictEqual([hasBegun, revision], [true, was.revision + 1])
          }
          assert.deepStrictEqual(yield* beginAll(begun), [], "they have begun already")
          assert.deepStrictEqual(yield* beginAll([]), [])
          const after = yield* readOf(...all)(0)
          assert.deepStrictEqual(
            after.filter(({ interrupted }) => !interrupted).map(({ messageId }) => messageId),
            [putInAgain]
          )
          // Only the reader that started a send can settle it.
          const settled = yield* settleAll([...begun, leaseOf(before, begunElsewhere)])
          assert.deepStrictEqual(sorted(settled), messagesOf(begun))
          assert.deepStrictEqual(sorted(yield* settleAll([theirs, ...begun])), [begunElsewhere])
          assert.deepStrictEqual(sorted(yield* settleAll([])), [])
          assert.deepStrictEqual(messagesOf(yield* readOf(...all)(0)), [putInAgain])
        })
      )
    )

    it.effect("enqueues messages of an account in the given order", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const one = yield* givenConversation()
          const { chatAccountId } = one
          const other = yield* givenConversation({ chatAccountId })
          const queued = { direction: "outbound", status: "queued", providerMessageId: null } as const
          const [later, first] = [yield* givenMessage(one, queued), yield* givenMessage(one, queued)]
          const third = yield* givenMessage(other, queued)
          const sends = yield* QueuedSends
          const messages = [first, later, third]
          yield* transact(sends.enqueue({ chatAccountId, messages, priority: "person", now: dawn }))
          const { readOf } = yield* givenSender
          const leases = yield* readOf(one, other)(0)
          assert.deepStrictEqual(messagesOf(leases), sorted([first.id, third.id]))
          yield* settleAll(yield* beginAll(leases))
          assert.deepStrictEqual(messagesOf(yield* readOf(one, other)(0)), [later.id])
        })
      )
    )

    it.effect("starts and settles none of many after a takeover, except those with a started call", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const one = yield* givenConversation()
          const other = yield* givenConversation({ chatAccountId: one.chatAccountId })
          const former = yield* givenSender
          const called = yield* givenSend(one)
          const waiting = yield* givenSend(other)
          const leases = yield* former.readOf(one, other)(0)
          const [begun] = yield* beginAll(leases.filter(({ messageId }) => messageId === called))
          const stale = leases.filter(({ messageId }) => messageId === waiting)
          yield* former.leave
          yield* givenSender
          assert.deepStrictEqual(yield* beginAll(stale), [])
          assert.deepStrictEqual(sorted(yield* settleAll([...stale, begun ?? assert.fail()])), [called])
        })
      )
    )

    it.effect("gives, begins and settles nothing of another organization", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConversation()
          const { readOf } = yield* givenSender
          yield* givenSend(conversation)
          const leases = yield* readOf(conversation)(0)
          const queue = yield* SendQueue
          const elsewhere = inside(yield* outside(givenOrganization()))
          yield* elsewhere(
            Effect.gen(function* () {
              assert.deepStrictEqual(yield* queue.read(leases), [])
              assert.deepStrictEqual(yield* queue.beginAll(leases), [])
              assert.deepStrictEqual(sorted(yield* settleAll(leases)), [])
            })
          )
          const begun = yield* beginAll(leases)
          assert.deepStrictEqual(messagesOf(begun), messagesOf(leases))
          yield* elsewhere(Effect.map(settleAll(begun), (settled) => assert.deepStrictEqual(sorted(settled), [])))
          assert.deepStrictEqual(sorted(yield* settleAll(begun)), messagesOf(begun))
        })
      )
    )

    it.effect("reads pending messages with the data of their recipients", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const account = yield* givenAccount()
          const contact = yield* givenContact({ phone: "+4930123456", blockedAt: at(3) })
          const windows = {
            recipient: { kind: "phone" as const, value: contact.phone ?? assert.fail() },
            windowExpiresAt: at(60),
            otherWindows: [{ kind: "chat_user" as const, value: "DE.1", expiresAt: at(30) }]
          }
          const chatAccountId = account.id
          const one = yield* givenConversation({ contactId: contact.id, chatAccountId, ...windows })
          const other = yield* givenConversation({ chatAccountId })
          const elsewhere = yield* givenConversation()
          const { readOf } = yield* givenSender
          const [first, second, third] = [yield* givenSend(one), yield* givenSend(other), yield* givenSend(elsewhere)]
          const leases = yield* readOf(one, other, elsewhere)(0)
          const queue = yield* SendQueue
          const [lease] = leases
          const unknown = { ...(lease ?? assert.fail()), messageId: freshId(MessageId) }
          const readings = yield* queue.read([unknown, ...leases])
          assert.deepStrictEqual(sorted(readings.map(({ message }) => message.id)), sorted([first, second, third]))
          const readingOf = (id: MessageId) => readings.find(({ message }) => message.id === id) ?? assert.fail()
          const reading = readingOf(first)
          assert.deepStrictEqual(
            plainMessage(reading.message),
            plainMessage(yield* (yield* Messages).get(one.id, first))
          )
          const { contactId, otherWindows, recipient, windowExpiresAt } = reading.conversation
          assert.deepStrictEqual(
            {
              contactId,
              otherWindows: otherWindows.map((each) => ({ ...each })),
              recipient: { ...recipient },
              windowExpiresAt
            },
            { contactId: contact.id, ...windows }
          )
          assert.strictEqual(reading.provider, account.provider)
          const known = reading.contact ?? assert.fail()
          assert.deepStrictEqual([known.id, known.phone, known.blockedAt], [contact.id, contact.phone, at(3)])
          assert.deepStrictEqual(
            known.identities.map(({ kind, value }) => [kind, value]),
            contact.identities.map(({ kind, value }) => [kind, value])
          )
          assert.strictEqual(readingOf(second).contact?.id, other.contactId)
          assert.isNull(readingOf(second).contact?.blockedAt)
          assert.isNull(readingOf(third).provider, "its number is not known")
          assert.deepStrictEqual(yield* queue.read([]), [])
        })
      )
    )
  }
}

/** Runs the promises of `SendQueue` about sets. */
export const sendSetsContract = runContract(sendSets)
