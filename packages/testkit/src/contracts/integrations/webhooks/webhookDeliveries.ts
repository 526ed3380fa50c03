import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import {
  type DeliveryOutcome,
  type NewDelivery,
  WebhookAttempt,
  WebhookDeliveries,
  WebhookDeliveryId,
  WebhookSubscriptionId
} from "@parley/domain/integrations"
import { DateTime, Effect } from "effect"
import type { StorageContract } from "../../contract.ts"
import { freshId, givenOrganization, inside } from "../../given.ts"

const at = (minutes: number) => DateTime.add(DateTime.makeUnsafe("2026-11-20T09:00:00.250Z"), { minutes })

const newDelivery = (subscriptionId: WebhookSubscriptionId, overrides: Partial<NewDelivery> = {}): NewDelivery => ({
  id: freshId(WebhookDeliveryId),
  subscriptionId,
  type: "contact.created",
  position: 1,
  subject: "contactId:1",
  at: at(0),
  ...overrides
})

const made = Effect.fnUntraced(function* (subscriptionId: WebhookSubscriptionId, overrides: Partial<NewDelivery> = {}) {
  const delivery = newDelivery(subscriptionId, overrides)
  yield* transact((yield* WebhookDeliveries).make([delivery]))
  return delivery
})

const outcome = (id: WebhookDeliveryId, overrides: Partial<DeliveryOutcome> & { readonly number?: number } = {}) => {
  const { number = 1, ...rest } = overrides
  const state = rest.state ?? "delivered"
  const result: DeliveryOutcome = {
    id,
    attempt: new WebhookAttempt({
      number,
      at: at(number),
      trigger: "scheduled",
      durationMs: 12,
      status: state === "delivered" ? 204 : 500,
      error: state === "delivered" ? null : "status",
      request: { headers: { "webhook-id": id }, bodySha256: "0".repeat(64), bodyBytes: 17 },
      response: { headers: { server: "“ERP” \\ 1" }, body: '{"ok": "é 🎉"}' }
    }),
    state,
    spent: number,
    nextAttemptAt: state === "pending" ? at(number + 5) : null,
    ...rest
  }
  return result
}

const everything = { state: null, type: null, id: null, from: null, to: null }

const search = { ordering: "none", now: at(60), except: [], limit: 10 } as const

const idsOf = (rows: ReadonlyArray<{ readonly delivery: { readonly id: WebhookDeliveryId } }>) =>
  rows.map(({ delivery }) => delivery.id)

export const webhookDeliveries: StorageContract = {
  port: "WebhookDeliveries",
  promises: (it) => {
    it.effect("makes each delivery once, for the organization that it belongs to", () =>
      Effect.gen(function* () {
        const deliveries = yield* WebhookDeliveries
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const subscription = freshId(WebhookSubscriptionId)
        const delivery = yield* made(subscription).pipe(inside(one))
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

    it.effect(
      "says what a call posts for as long as it is to be sent, and nothing of the contact once it is blanked",
      () =>
        Effect.gen(function* () {
          const deliveries = yield* WebhookDeliveries
          yield* Effect.gen(function* () {
            const [subscription, contactId] = [freshId(WebhookSubscriptionId), freshId(ContactId)]
            const actor = { kind: "automation", id: "a1" } as const
            const call = { actor, causation: null, runId: "r1", contactId, conversationId: null, body: { name: "Ada" } }
            const posted = { type: "automation.call", position: null }
            const [kept, blank] = [
              yield* made(subscription, { ...posted, call: { ...call, contactId: null } }),
              yield* made(subscription, { ...posted, call })
            ]
            const event = yield* made(subscription)
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

    it.effect("gives what is due, the lowest position first, and says when there is more", () =>
      Effect.gen(function* () {
        const deliveries = yield* WebhookDeliveries
        yield* Effect.gen(function* () {
          const subscription = freshId(WebhookSubscriptionId)
          const third = yield* made(subscription, { position: 3 })
          const first = yield* made(subscription, { position: 1 })
          const second = yield* made(subscription, { position: 2, at: at(90) })
          yield* made(freshId(WebhookSubscriptionId), { position: 1 })
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

    it.effect("of one subject gives the first alone, until that has ended", () =>
      Effect.gen(function* () {
        const deliveries = yield* WebhookDeliveries
        yield* Effect.gen(function* () {
          const subscription = freshId(WebhookSubscriptionId)
          const inTurn = { ...search, ordering: "subject" } as const
          const one = yield* made(subscription, { position: 1, subject: "a" })
          const two = yield* made(subscription, { position: 2, subject: "a" })
          const other = yield* made(subscription, { position: 3, subject: "b" })
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

    it.effect("goes on with other subjects, however much waits behind the first of one", () =>
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
            yield* made(subscription, { position: 1_102, subject: "b" }),
            yield* made(subscription, { position: 1_101, subject: "z" }),
            yield* made(subscription, { position: 1_103, subject: "a" })
          ]
          yield* made(subscription, { position: 1_104, subject: "b" })
          const [b, z, a] = others.map(({ id }) => id)
          assert.deepStrictEqual(idsOf(yield* deliveries.due(subscription, inTurn)), [z, b, a])
          assert.deepStrictEqual(yield* deliveries.nextDue(subscription, "subject"), at(0))
          yield* transact(deliveries.keep(others.map(({ id }) => outcome(id))))
          assert.lengthOf(yield* deliveries.due(subscription, inTurn), 1)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("keeps each attempt; a success counts always, a failure only while it is pending", () =>
      Effect.gen(function* () {
        const deliveries = yield* WebhookDeliveries
        yield* Effect.gen(function* () {
          const subscription = freshId(WebhookSubscriptionId)
          const { id } = yield* made(subscription)
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
          const { id } = yield* made(subscription)
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
          const { id: sent } = yield* made(subscription)
          const { id: waiting } = yield* made(subscription, { position: 2 })
          const { id: other } = yield* made(subscription, { position: 3 })
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
          const rows = [yield* made(subscription), yield* made(subscription), yield* made(subscription)] as const
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

    it.effect("lists the latest first, page after page, by state, type and time", () =>
      Effect.gen(function* () {
        const deliveries = yield* WebhookDeliveries
        yield* Effect.gen(function* () {
          const subscription = freshId(WebhookSubscriptionId)
          const one = yield* made(subscription, { position: 1 })
          const two = yield* made(subscription, { position: 2, type: "tag.created" })
          const three = yield* made(subscription, { position: null, at: at(5), type: "automation.call" })
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

    it.effect("keeps the request and the answer of an attempt until a time, or until its contact is deleted", () =>
      Effect.gen(function* () {
        const deliveries = yield* WebhookDeliveries
        yield* Effect.gen(function* () {
          const subscription = freshId(WebhookSubscriptionId)
          const [erased, other] = [freshId(ContactId), freshId(ContactId)]
          const ofErased = yield* made(subscription, { subject: `contactId:${erased}` })
          const ofOther = yield* made(subscription, { subject: `contactId:${other}` })
          const ofNobody = yield* made(subscription, { subject: "tagId:1" })
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
          const old = yield* made(subscription, { position: 1 })
          const young = yield* made(subscription, { position: 2, at: at(30) })
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
