import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { SendQueue } from "@parley/domain/messaging"
import { Deferred, Effect, Fiber } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { inNewOrganization } from "../../crm/given.ts"
import { at } from "../../platform/background/given.ts"
import { givenConversation } from "./given.ts"
import { begin, givenSend, givenSender, only, settle, tryBegin } from "./givenSends.ts"

export const sendAttempts: StorageContract = {
  port: "SendQueue (attempts)",
  promises: (it, overlap) => {
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

    it.effect("reports the start of an earlier sender, until it is known that nothing was sent", () =>
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

    it.effect("returns no message that the next owner has started", () =>
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

/** Checks an adapter against the contract of attempts to send a message. */
export const sendAttemptsContract = runContract(sendAttempts)
