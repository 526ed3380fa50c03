import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ChatAccountId, type EarlyReceipt, Message as MessageOf, Messages } from "@parley/domain/messaging"
import { DateTime, Deferred, Effect, Fiber } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { inNewOrganization, morning } from "../../crm/given.ts"
import { freshId, freshText } from "../../given.ts"
import { givenConversation, givenMessage, minutes } from "./given.ts"

const receipt = (providerMessageId: string, overrides: Partial<EarlyReceipt> = {}): EarlyReceipt => ({
  providerMessageId,
  status: "delivered",
  at: minutes(1),
  error: null,
  ...overrides
})

const plainReceipt = ({ at, ...input }: EarlyReceipt) => ({ ...input, at: DateTime.formatIso(at) })

export const earlyReceipts: StorageContract = {
  port: "Messages (early receipts)",
  promises: (it) => {
    it.effect("keeps no early receipt after its message exists, in every sequence", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const conversation = yield* givenConversation()
          const { chatAccountId } = conversation
          const port = yield* Messages
          const sent = yield* givenMessage(conversation, { direction: "outbound", status: "sent" })
          const known = sent.providerMessageId ?? assert.fail()
          const strange = freshText("strange")
          const mixed = [receipt(known), receipt(strange)]
          assert.strictEqual(yield* transact(port.storeEarly(chatAccountId, mixed, morning)), 1)
          assert.deepStrictEqual(
            (yield* transact(port.removeEarly(chatAccountId, [known, strange]))).map(plainReceipt),
            [plainReceipt(receipt(strange))]
          )

          const queued = yield* givenMessage(conversation, {
            direction: "outbound",
            status: "queued",
            providerMessageId: null
          })
          const providerMessageId = freshText("met")
          const asked = yield* Deferred.make<void>()
          const keeping = yield* Effect.andThen(
            Deferred.await(asked),
            transact(port.storeEarly(chatAccountId, [receipt(providerMessageId)], morning))
          ).pipe(Effect.forkChild({ startImmediately: true }))
          const taken = yield* transact(
            Effect.gen(function* () {
              yield* port.lock(chatAccountId, [queued.id])
              const early = yield* port.removeEarly(chatAccountId, [providerMessageId])
              yield* Deferred.succeed(asked, undefined)
              // Long enough for the other one to keep it if nothing makes it wait.
              yield* Effect.replicateEffect(port.get(conversation.id, queued.id), 20, { discard: true })
              yield* port.saveAll(chatAccountId, [new MessageOf({ ...queued, status: "sent", providerMessageId })])
              return early
            })
          )
          const kept = yield* Fiber.join(keeping)
          assert.strictEqual(taken.length + kept, 0)
          assert.deepStrictEqual(yield* transact(port.removeEarly(chatAccountId, [providerMessageId])), [])
        })
      )
    )

    it.effect("stores early receipts until they are taken, once", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const port = yield* Messages
          const [account, another] = [freshId(ChatAccountId), freshId(ChatAccountId)]
          const [one, two] = [freshText("one"), freshText("two")]
          const failed = receipt(one, {
            status: "failed",
            at: minutes(2),
            error: { code: 131_026, reason: 'No "such" number \\', remedy: "give_up" }
          })
          assert.strictEqual(
            yield* transact(port.storeEarly(account, [receipt(one), failed, receipt(two)], morning)),
            3
          )
          const priced = receipt(one, {
            status: "read",
            pricing: {
              billable: null,
              model: "PMP",
              category: 'a "b" \\',
              type: null,
              freeEntryPointExpiresAt: minutes(90)
            }
          })
          yield* transact(port.storeEarly(another, [priced], morning))
          yield* transact(port.storeEarly(account, [], morning))
          assert.deepStrictEqual(yield* transact(port.removeEarly(account, [])), [])
          assert.deepStrictEqual(yield* transact(port.removeEarly(account, ["nobody's"])), [])
          const taken = yield* transact(port.removeEarly(account, [one, "nobody's"]))
          assert.sameDeepMembers(taken.map(plainReceipt), [receipt(one), failed].map(plainReceipt))
          assert.deepStrictEqual(yield* transact(port.removeEarly(account, [one])), [])
          assert.deepStrictEqual((yield* transact(port.removeEarly(account, [two]))).map(plainReceipt), [
            plainReceipt(receipt(two))
          ])
          const left = yield* transact(port.removeEarly(another, [one, two]))
          assert.deepStrictEqual(left.map(plainReceipt), [plainReceipt(priced)])
        })
      )
    )
  }
}

/** Checks an adapter against the contract of receipts that arrive before their message. */
export const earlyReceiptsContract = runContract(earlyReceipts)
