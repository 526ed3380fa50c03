import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { type MessageId, OneTimeCodes } from "@parley/domain/messaging"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { runContract, type StorageContract } from "../../contract.ts"
import { inNewOrganization } from "../../crm/given.ts"
import { givenOrganization, inside } from "../../given.ts"
import { givenConversation, givenMessage } from "./given.ts"
import { enqueue } from "./givenSends.ts"

const insert = Effect.fnUntraced(function* (messageId: MessageId, minutes: number) {
  const expiresAt = DateTime.add(yield* DateTime.now, { minutes })
  yield* transact(Effect.flatMap(OneTimeCodes, (codes) => codes.insert({ messageId, sealed: "sealed", expiresAt })))
})

const find = (id: MessageId) => Effect.flatMap(OneTimeCodes, (codes) => codes.find(id))

const outbound = { direction: "outbound", status: "queued", providerMessageId: null } as const

/** Contract of `OneTimeCodes`. */
export const oneTimeCodes: StorageContract = {
  port: "OneTimeCodes",
  promises: (it) => {
    it.effect("stores the code of a message until it is erased", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConversation()
          const one = yield* givenMessage(conversation, outbound)
          const other = yield* givenMessage(conversation, outbound)
          assert.isNull(yield* find(one.id))
          yield* insert(one.id, 90)
          yield* insert(other.id, 90)
          assert.strictEqual(yield* find(one.id), "sealed")
          yield* transact(Effect.flatMap(OneTimeCodes, (codes) => codes.erase([one.id])))
          assert.deepStrictEqual([yield* find(one.id), yield* find(other.id)], [null, "sealed"])
        })
      )
    )

    it.effect("deletes expired codes, except of messages that wait to be sent", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConversation()
          const [failed, waiting, fresh] = [
            yield* givenMessage(conversation, outbound),
            yield* givenMessage(conversation, outbound),
            yield* givenMessage(conversation, outbound)
          ]
          yield* insert(failed.id, 90)
          yield* insert(waiting.id, 90)
          yield* enqueue(conversation, waiting)
          yield* insert(fresh.id, 120)
          yield* TestClock.adjust("90 minutes")
          assert.strictEqual(yield* Effect.flatMap(OneTimeCodes, (codes) => codes.sweep()), 1)
          assert.deepStrictEqual(
            [yield* find(failed.id), yield* find(waiting.id), yield* find(fresh.id)],
            [null, "sealed", "sealed"]
          )
        })
      )
    )

    it.effect("shows no code of another organization", () =>
      Effect.gen(function* () {
        const [own, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const id = yield* Effect.gen(function* () {
          const message = yield* givenMessage(yield* givenConversation(), outbound)
          yield* insert(message.id, 0)
          return message.id
        }).pipe(inside(own))
        assert.isNull(yield* find(id).pipe(inside(other)))
        assert.strictEqual(yield* Effect.flatMap(OneTimeCodes, (codes) => codes.sweep()).pipe(inside(other)), 0)
        yield* transact(Effect.flatMap(OneTimeCodes, (codes) => codes.erase([id]))).pipe(inside(other))
        assert.strictEqual(yield* find(id).pipe(inside(own)), "sealed")
      })
    )
  }
}

export const oneTimeCodesContract = runContract(oneTimeCodes)
