import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { WebhookAttempt, WebhookDeliveries, WebhookSubscriptionId } from "@parley/domain/integrations"
import { Effect } from "effect"
import type { StorageContract } from "../../contract.ts"
import { freshId, givenOrganization, inside } from "../../given.ts"
import { at, newDelivery, givenDelivery, outcome, search, idsOf } from "./givenDeliveries.ts"

export const webhookDeliveryAttempts: StorageContract = {
  port: "WebhookDeliveries (attempts)",
  promises: (it) => {
    it.effect("stores each attempt; a success always counts, a failure only while the delivery is pending", () =>
      Effect.gen(function* () {
        const deliveries = yield* WebhookDeliveries
        yield* Effect.gen(function* () {
          const subscription = freshId(WebhookSubscriptionId)
          const { id } = yield* givenDelivery(subscription)
          yield* transact(deliveries.keep([outcome(id, { state: "pending" })]))
          assert.strictEqual(yield* transact(deliveries.end(subscription, "discarded", null, 10)), 1)
          yield* transact(deliveries.keep([outcome(id, { number: 2, state: "pending" })]))
          const discarded = yield* deliveries.get(subscription, id)
          assert.deepStrictEqual([discarded.state, discarded.nextAttemptAt, discarded.attempts], ["discarded", null, 2])
          yield* transact(deliveries.keep([outcome(id, { number: 3 })]))
          const delivered = yield* deliveries.get(subscription, id)
          assert.deepStrictEqual([delivered.state, delivered.deliveredAt], ["delivered", at(3)])
          const attempts = yield* deliveries.attempts(id, 2)
          assert.deepStrictEqual(
            attempts.map(({ error, number, status }) => [number, status, error]),
            [
              [3, 204, null],
              [2, 500, "status"]
            ]
          )
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("makes one requested attempt in every state of the delivery", () =>
      Effect.gen(function* () {
        const deliveries = yield* WebhookDeliveries
        yield* Effect.gen(function* () {
          const subscription = freshId(WebhookSubscriptionId)
          const { id } = yield* givenDelivery(subscription)
          yield* transact(deliveries.keep([outcome(id, { state: "failed" })]))
          yield* transact(deliveries.want(subscription, id))
          assert.deepStrictEqual(idsOf(yield* deliveries.wanted(subscription, 10)), [id])
          yield* transact(deliveries.keep([outcome(id, { number: 2, state: "failed" })]))
          assert.lengthOf(yield* deliveries.wanted(subscription, 10), 1)
          const { attempt, ...rest } = outcome(id, { number: 3 })
          yield* transact(
            deliveries.keep([{ ...rest, attempt: new WebhookAttempt({ ...attempt, trigger: "redeliver" }) }])
          )
          assert.lengthOf(yield* deliveries.wanted(subscription, 10), 0)
          assert.strictEqual((yield* deliveries.get(subscription, id)).state, "delivered")
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("discards deliveries: none waits, and no requested attempt remains", () =>
      Effect.gen(function* () {
        const deliveries = yield* WebhookDeliveries
        yield* Effect.gen(function* () {
          const subscription = freshId(WebhookSubscriptionId)
          const { id: sent } = yield* givenDelivery(subscription)
          const { id: waiting } = yield* givenDelivery(subscription, { position: 2 })
          const { id: other } = yield* givenDelivery(subscription, { position: 3 })
          yield* transact(deliveries.keep([outcome(sent)]))
          yield* transact(deliveries.want(subscription, sent))
          yield* transact(deliveries.want(subscription, waiting))
          yield* transact(deliveries.discard([sent, waiting]))
          yield* transact(deliveries.discard([]))
          assert.isEmpty(yield* deliveries.wanted(subscription, 10))
          assert.deepStrictEqual(idsOf(yield* deliveries.due(subscription, search)), [other])
          const { deliveredAt, state } = yield* deliveries.get(subscription, sent)
          assert.deepStrictEqual([state, deliveredAt], ["delivered", at(1)])
          const discarded = yield* deliveries.get(subscription, waiting)
          assert.deepStrictEqual([discarded.state, discarded.nextAttemptAt], ["discarded", null])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("replays missed, failed and discarded deliveries, and delivered ones on request", () =>
      Effect.gen(function* () {
        const deliveries = yield* WebhookDeliveries
        yield* Effect.gen(function* () {
          const subscription = freshId(WebhookSubscriptionId)
          const rows = [
            yield* givenDelivery(subscription),
            yield* givenDelivery(subscription),
            yield* givenDelivery(subscription)
          ] as const
          const missed = newDelivery(subscription)
          const [pending, delivered, failed] = rows
          yield* transact(deliveries.keep([outcome(delivered.id), outcome(failed.id, { state: "failed" })]))
          const anew = [...rows, missed].map((each) => ({ ...each, at: at(30) }))
          assert.strictEqual(yield* transact(deliveries.remake(anew, "undelivered")), 2)
          const due = yield* deliveries.due(subscription, search)
          assert.sameMembers(Array.from(idsOf(due)), [pending.id, failed.id, missed.id])
          const again = due.find((each) => each.delivery.id === failed.id)
          assert.deepStrictEqual([again?.spent, again?.delivery.attempts, again?.at], [0, 1, at(30)])
          assert.strictEqual(yield* transact(deliveries.remake(anew, "all")), 1)
          assert.lengthOf(yield* deliveries.due(subscription, search), 4)
        }).pipe(inside(yield* givenOrganization()))
      })
    )
  }
}
