import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import { WebhookDeliveries, WebhookDeliveryId, WebhookSubscriptionId } from "@parley/domain/integrations"
import { DateTime, Effect } from "effect"
import type { StorageContract } from "../../contract.ts"
import { freshId, givenOrganization, inside } from "../../given.ts"
import { at, givenDelivery, outcome, search, idsOf } from "./givenDeliveries.ts"

const everything = { state: null, type: null, id: null, from: null, to: null }

export const webhookDeliveries: StorageContract = {
  port: "WebhookDeliveries",
  promises: (it) => {
    it.effect("creates each delivery once, for its organization only", () =>
      Effect.gen(function* () {
        const deliveries = yield* WebhookDeliveries
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const subscription = freshId(WebhookSubscriptionId)
        const delivery = yield* givenDelivery(subscription).pipe(inside(one))
        yield* Effect.gen(function* () {
          yield* transact(deliveries.keep([outcome(delivery.id)]))
          yield* transact(deliveries.make([{ ...delivery, at: at(9) }]))
          const read = yield* deliveries.get(subscription, delivery.id)
          assert.deepStrictEqual([read.state, read.attempts, read.position], ["delivered", 1, 1])
          assert.lengthOf(yield* deliveries.due(subscription, search), 0)
        }).pipe(inside(one))
        yield* Effect.gen(function* () {
          assert.strictEqual((yield* Effect.flip(deliveries.get(subscription, delivery.id)))._tag, "NotFound")
          assert.strictEqual(
            (yield* Effect.flip(transact(deliveries.want(subscription, delivery.id))))._tag,
            "NotFound"
          )
          assert.lengthOf(yield* deliveries.list(subscription, everything, { limit: 10, after: null }), 0)
          assert.lengthOf(yield* deliveries.attempts(delivery.id, 10), 0)
          yield* transact(deliveries.keep([outcome(delivery.id, { number: 2, state: "failed" })]))
          assert.strictEqual(yield* transact(deliveries.end(subscription, "failed", null, 10)), 0)
          assert.strictEqual(yield* deliveries.sweep(at(99), 10), 0)
        }).pipe(inside(other))
        const kept = yield* deliveries.get(subscription, delivery.id).pipe(inside(one))
        assert.strictEqual(kept.state, "delivered")
      })
    )

    it.effect("returns the request of a call while it is pending, and no contact data after its removal", () =>
      Effect.gen(function* () {
        const deliveries = yield* WebhookDeliveries
        yield* Effect.gen(function* () {
          const [subscription, contactId] = [freshId(WebhookSubscriptionId), freshId(ContactId)]
          const actor = { kind: "automation", id: "a1" } as const
          const call = { actor, causation: null, runId: "r1", contactId, conversationId: null, body: { name: "Ada" } }
          const posted = { type: "automation.call", position: null }
          const [kept, blank] = [
            yield* givenDelivery(subscription, { ...posted, call: { ...call, contactId: null } }),
            yield* givenDelivery(subscription, { ...posted, call })
          ]
          const event = yield* givenDelivery(subscription)
          assert.deepStrictEqual(yield* deliveries.call(blank.id), call)
          assert.isNull(yield* deliveries.call(event.id))
          assert.isNull(yield* deliveries.call(freshId(WebhookDeliveryId)))
          yield* transact(deliveries.blank([contactId]))
          assert.isNull(yield* deliveries.call(blank.id))
          yield* transact(deliveries.want(subscription, blank.id))
          assert.deepStrictEqual(yield* deliveries.call(blank.id), { ...call, contactId: null, body: null })
          yield* transact(deliveries.keep([outcome(kept.id)]))
          assert.isNull(yield* deliveries.call(kept.id))
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("lists deliveries by state, type and time, latest first, page by page", () =>
      Effect.gen(function* () {
        const deliveries = yield* WebhookDeliveries
        yield* Effect.gen(function* () {
          const subscription = freshId(WebhookSubscriptionId)
          const one = yield* givenDelivery(subscription, { position: 1 })
          const two = yield* givenDelivery(subscription, { position: 2, type: "tag.created" })
          const three = yield* givenDelivery(subscription, { position: null, at: at(5), type: "automation.call" })
          yield* transact(deliveries.keep([outcome(one.id)]))
          const list = (
            filter: Partial<Parameters<typeof deliveries.list>[1]>,
            after: ReadonlyArray<string> | null = null
          ) => Effect.map(deliveries.list(subscription, { ...everything, ...filter }, { limit: 2, after }), idsOf)
          assert.deepStrictEqual(yield* list({}), [three.id, two.id])
          assert.deepStrictEqual(yield* list({}, [DateTime.formatIso(at(0)), "2", two.id]), [one.id])
          assert.deepStrictEqual(yield* list({}, [DateTime.formatIso(at(5)), "0", three.id]), [two.id, one.id])
          assert.deepStrictEqual(yield* list({ state: ["delivered"] }), [one.id])
          assert.deepStrictEqual(yield* list({ state: ["failed"] }), [])
          const both = yield* list({ state: ["delivered", "failed", "pending"] })
          assert.deepStrictEqual(both, yield* list({}))
          assert.deepStrictEqual(yield* list({ id: one.id }), [one.id])
          assert.deepStrictEqual(yield* list({ id: one.id, state: ["failed"] }), [])
          assert.deepStrictEqual(yield* list({ type: "tag.created" }), [two.id])
          assert.deepStrictEqual(yield* list({ from: at(5) }), [three.id])
          assert.deepStrictEqual(yield* list({ to: at(5) }), [two.id, one.id])
          const [latest] = yield* deliveries.list(subscription, everything, { limit: 1, after: null })
          assert.isNull(latest?.delivery.position)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("stores the request and the answer of an attempt until a time, or until its contact is deleted", () =>
      Effect.gen(function* () {
        const deliveries = yield* WebhookDeliveries
        yield* Effect.gen(function* () {
          const subscription = freshId(WebhookSubscriptionId)
          const [erased, other] = [freshId(ContactId), freshId(ContactId)]
          const ofErased = yield* givenDelivery(subscription, { subject: `contactId:${erased}` })
          const ofOther = yield* givenDelivery(subscription, { subject: `contactId:${other}` })
          const ofNobody = yield* givenDelivery(subscription, { subject: "tagId:1" })
          const all = [ofErased, ofOther, ofNobody]
          const results = all.map(({ id }) => outcome(id))
          yield* transact(deliveries.keep(results))
          yield* transact(deliveries.keep(results))
          const details = Effect.forEach(all, ({ id }) =>
            Effect.map(deliveries.attempts(id, 10), (log) =>
              log.map(({ request, response }) => ({ request, response }))
            )
          )
          const kept = results.map(({ attempt: { request, response } }) => [{ request, response }])
          const none = [{ request: null, response: null }]
          assert.deepStrictEqual(yield* details, kept)
          yield* transact(deliveries.blank([erased]))
          assert.deepStrictEqual(yield* details, [none, kept[1] ?? none, none])
          assert.strictEqual(yield* deliveries.sweepDetails(at(1), 10), 0)
          assert.strictEqual(yield* deliveries.sweepDetails(at(2), 10), 1)
          assert.strictEqual(yield* deliveries.sweepDetails(at(2), 10), 0)
          assert.deepStrictEqual(yield* details, [none, none, none])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("ends pending deliveries, or those before a time, and deletes old ones", () =>
      Effect.gen(function* () {
        const deliveries = yield* WebhookDeliveries
        yield* Effect.gen(function* () {
          const subscription = freshId(WebhookSubscriptionId)
          const old = yield* givenDelivery(subscription, { position: 1 })
          const young = yield* givenDelivery(subscription, { position: 2, at: at(30) })
          assert.strictEqual(yield* transact(deliveries.end(subscription, "failed", at(10), 10)), 1)
          assert.strictEqual((yield* deliveries.get(subscription, old.id)).state, "failed")
          assert.deepStrictEqual(idsOf(yield* deliveries.due(subscription, search)), [young.id])
          yield* transact(deliveries.keep([outcome(old.id, { state: "failed" })]))
          assert.strictEqual(yield* deliveries.sweep(at(10), 10), 1)
          assert.strictEqual((yield* Effect.flip(deliveries.get(subscription, old.id)))._tag, "NotFound")
          assert.lengthOf(yield* deliveries.attempts(old.id, 10), 0)
          assert.strictEqual((yield* deliveries.get(subscription, young.id)).state, "pending")
        }).pipe(inside(yield* givenOrganization()))
      })
    )
  }
}
