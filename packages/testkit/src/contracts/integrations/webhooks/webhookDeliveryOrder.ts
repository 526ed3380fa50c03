import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { WebhookDeliveries, WebhookSubscriptionId } from "@parley/domain/integrations"
import { Effect } from "effect"
import type { StorageContract } from "../../contract.ts"
import { freshId, givenOrganization, inside } from "../../given.ts"
import { at, newDelivery, givenDelivery, outcome, search, idsOf } from "./givenDeliveries.ts"

export const webhookDeliveryOrder: StorageContract = {
  port: "WebhookDeliveries (order)",
  promises: (it) => {
    it.effect("returns due deliveries, lowest position first, and reports further ones", () =>
      Effect.gen(function* () {
        const deliveries = yield* WebhookDeliveries
        yield* Effect.gen(function* () {
          const subscription = freshId(WebhookSubscriptionId)
          const third = yield* givenDelivery(subscription, { position: 3 })
          const first = yield* givenDelivery(subscription, { position: 1 })
          const second = yield* givenDelivery(subscription, { position: 2, at: at(90) })
          yield* givenDelivery(freshId(WebhookSubscriptionId), { position: 1 })
          assert.deepStrictEqual(idsOf(yield* deliveries.due(subscription, search)), [first.id, third.id])
          assert.deepStrictEqual(idsOf(yield* deliveries.due(subscription, { ...search, limit: 1 })), [first.id])
          assert.deepStrictEqual(idsOf(yield* deliveries.due(subscription, { ...search, except: [first.id] })), [
            third.id
          ])
          yield* transact(deliveries.keep([outcome(first.id), outcome(third.id, { state: "pending" })]))
          assert.deepStrictEqual(yield* deliveries.nextDue(subscription, "none"), at(6))
          const [again] = yield* deliveries.due(subscription, search)
          assert.deepStrictEqual([again?.delivery.id, again?.spent, again?.delivery.attempts], [third.id, 1, 1])
          assert.deepStrictEqual(yield* deliveries.oldest(subscription), { at: at(0), position: 2 })
          yield* transact(deliveries.keep([outcome(third.id, { number: 2, state: "failed" }), outcome(second.id)]))
          assert.isNull(yield* deliveries.nextDue(subscription, "none"))
          assert.deepStrictEqual(yield* deliveries.oldest(subscription), { at: null, position: null })
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("returns the first delivery of a subject alone, until it ends", () =>
      Effect.gen(function* () {
        const deliveries = yield* WebhookDeliveries
        yield* Effect.gen(function* () {
          const subscription = freshId(WebhookSubscriptionId)
          const inTurn = { ...search, ordering: "subject" } as const
          const one = yield* givenDelivery(subscription, { position: 1, subject: "a" })
          const two = yield* givenDelivery(subscription, { position: 2, subject: "a" })
          const other = yield* givenDelivery(subscription, { position: 3, subject: "b" })
          assert.deepStrictEqual(idsOf(yield* deliveries.due(subscription, inTurn)), [one.id, other.id])
          yield* transact(
            deliveries.keep([outcome(one.id, { state: "pending", nextAttemptAt: at(80) }), outcome(other.id)])
          )
          assert.lengthOf(yield* deliveries.due(subscription, inTurn), 0)
          assert.deepStrictEqual(yield* deliveries.nextDue(subscription, "subject"), at(80))
          assert.deepStrictEqual(yield* deliveries.nextDue(subscription, "none"), at(0))
          yield* transact(deliveries.keep([outcome(one.id, { number: 2, state: "failed" })]))
          assert.deepStrictEqual(idsOf(yield* deliveries.due(subscription, inTurn)), [two.id])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("continues with other subjects behind a long queue of one subject", () =>
      Effect.gen(function* () {
        const deliveries = yield* WebhookDeliveries
        yield* Effect.gen(function* () {
          const subscription = freshId(WebhookSubscriptionId)
          const inTurn = { ...search, ordering: "subject" } as const
          const stuck = Array.from({ length: 1_100 }, (_, index) =>
            newDelivery(subscription, { position: index + 1, subject: "stuck" })
          )
          yield* transact(deliveries.make(stuck))
          const [first = assert.fail("nothing waits")] = stuck
          yield* transact(deliveries.keep([outcome(first.id, { state: "pending", nextAttemptAt: at(80) })]))
          const others = [
            yield* givenDelivery(subscription, { position: 1_102, subject: "b" }),
            yield* givenDelivery(subscription, { position: 1_101, subject: "z" }),
            yield* givenDelivery(subscription, { position: 1_103, subject: "a" })
          ]
          yield* givenDelivery(subscription, { position: 1_104, subject: "b" })
          const [b, z, a] = others.map(({ id }) => id)
          assert.deepStrictEqual(idsOf(yield* deliveries.due(subscription, inTurn)), [z, b, a])
          assert.deepStrictEqual(yield* deliveries.nextDue(subscription, "subject"), at(0))
          yield* transact(deliveries.keep(others.map(({ id }) => outcome(id))))
          assert.lengthOf(yield* deliveries.due(subscription, inTurn), 1)
        }).pipe(inside(yield* givenOrganization()))
      })
    )
  }
}
