import { assert, layer } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import type { Organization } from "@parley/domain/platform"
import { eraseContact, mergeContacts } from "@parley/domain/crm"
import {
  callSubscription,
  disableWebhookSubscription,
  getWebhookDelivery,
  redeliverWebhook,
  type WebhookSubscriptionId
} from "@parley/domain/integrations"
import {
  asOperatorOf,
  givenContact,
  givenOrganization,
  MemoryReceivers,
  ReceiverScript,
  TestKit
} from "@parley/testkit"
import { Effect, Fiber, Latch, type Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { bodiesAt, send, subscribed } from "./given.ts"

const { accepted, refused } = MemoryReceivers

const given = Effect.gen(function* () {
  const organization = yield* givenOrganization({ plan: "scale" })
  const subscription = yield* subscribed(organization, { events: [] })
  const contact = yield* givenContact(organization)
  return { organization, subscription, contact, runId: SecureRandom.uuidV7Unsafe() }
})

const calling = (
  organization: Organization,
  id: WebhookSubscriptionId,
  input: { readonly runId: string; readonly contactId: string },
  body: Schema.Json
) =>
  transact(callSubscription(id, { key: `${input.runId}:0:1`, conversationId: null, body, ...input })).pipe(
    asOperatorOf(organization)
  )

layer(TestKit.layer)("calls of webhook subscriptions", (it) => {
  it.effect("are posted with their bodies, tried again, and are the same for the same step", () =>
    Effect.gen(function* () {
      const { contact, organization, runId, subscription } = yield* given
      const { id, url } = subscription
      const script = yield* ReceiverScript
      script.answer(url, () => Effect.succeed(refused))
      const deliveryId = yield* calling(organization, id, { runId, contactId: contact.id }, { points: 3 })
      assert.strictEqual(yield* calling(organization, id, { runId, contactId: contact.id }, { points: 4 }), deliveryId)
      yield* send
      script.answer(url, () => Effect.succeed(accepted))
      yield* TestClock.adjust("10 seconds")
      yield* send
      const bodies = yield* bodiesAt(url)
      const input = bodies.map(({ cursor, data, id: named, position, resource, type }) => ({
        cursor,
        data,
        id: named,
        position,
        resource,
        type
      }))
      const once = {
        cursor: null,
        data: { runId, contactId: contact.id, conversationId: null, body: { points: 3 } },
        id: deliveryId,
        position: null,
        resource: null,
        type: "automation.call"
      }
      assert.deepStrictEqual(input, [once, once])
      const { state } = yield* getWebhookDelivery({ id, deliveryId }).pipe(asOperatorOf(organization))
      assert.strictEqual(state, "delivered")
    })
  )

  it.effect("contain no data of an erased contact, also when redelivered", () =>
    Effect.gen(function* () {
      const { contact, organization, runId, subscription } = yield* given
      const { id, url } = subscription
      const deliveryId = yield* calling(organization, id, { runId, contactId: contact.id }, { name: "Ada" })
      yield* eraseContact({ id: contact.id, ifVersion: null }).pipe(asOperatorOf(organization))
      yield* send
      assert.deepStrictEqual(yield* bodiesAt(url), [])
      yield* redeliverWebhook({ id, deliveryId }).pipe(asOperatorOf(organization))
      yield* send
      const [body] = yield* bodiesAt(url)
      assert.deepStrictEqual(body?.["data"], { runId, contactId: null, conversationId: null, body: null })
    })
  )

  it.effect("contain no data of a contact merged into an erased one", () =>
    Effect.gen(function* () {
      const { contact, organization, runId, subscription } = yield* given
      const whole = yield* givenContact(organization)
      const deliveryId = yield* calling(
        organization,
        subscription.id,
        { runId, contactId: contact.id },
        { name: "Ada" }
      )
      yield* mergeContacts({ id: whole.id, contactId: contact.id, ifVersion: null }).pipe(asOperatorOf(organization))
      yield* eraseContact({ id: whole.id, ifVersion: null }).pipe(asOperatorOf(organization))
      yield* send
      assert.deepStrictEqual(yield* bodiesAt(subscription.url), [])
      yield* redeliverWebhook({ id: subscription.id, deliveryId }).pipe(asOperatorOf(organization))
      yield* send
      const [body] = yield* bodiesAt(subscription.url)
      assert.deepStrictEqual(body?.["data"], { runId, contactId: null, conversationId: null, body: null })
    })
  )

  it.effect("contain no data of a contact that is erased while they are queued", () =>
    Effect.gen(function* () {
      const { contact, organization, subscription } = yield* given
      const { id, url } = subscription
      const script = yield* ReceiverScript
      const all = Array.from({ length: 6 }, () => ({ runId: SecureRandom.uuidV7Unsafe(), contactId: contact.id }))
      for (const input of all) yield* calling(organization, id, input, { name: "Ada" })
      const [areMany, mayEnd] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
      script.answer(url, () => {
        if (script.posted(url).length === 5) areMany.openUnsafe()
        return Effect.as(mayEnd.await, accepted)
      })
      const sending = yield* Effect.forkChild(send)
      yield* areMany.await
      yield* eraseContact({ id: contact.id, ifVersion: null }).pipe(asOperatorOf(organization))
      mayEnd.openUnsafe()
      yield* Fiber.join(sending)
      assert.lengthOf(yield* bodiesAt(url), 5)
    })
  )

  it.effect("store no answer of an attempt that was under way while its contact was erased", () =>
    Effect.gen(function* () {
      const { contact, organization, runId, subscription } = yield* given
      const { id, url } = subscription
      const script = yield* ReceiverScript
      const [isUnderWay, canEnd] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
      script.answer(url, () => {
        isUnderWay.openUnsafe()
        return Effect.as(canEnd.await, { ...accepted, status: 200, text: "Ada is known" })
      })
      const deliveryId = yield* calling(organization, id, { runId, contactId: contact.id }, { name: "Ada" })
      const sending = yield* Effect.forkChild(send)
      yield* isUnderWay.await
      yield* eraseContact({ id: contact.id, ifVersion: null }).pipe(asOperatorOf(organization))
      canEnd.openUnsafe()
      yield* Fiber.join(sending)
      const { log } = yield* getWebhookDelivery({ id, deliveryId }).pipe(asOperatorOf(organization))
      assert.deepStrictEqual(
        log.map(({ request, response, status }) => ({ request, response, status })),
        [{ request: null, response: null, status: 200 }]
      )
    })
  )

  it.effect("are refused by a subscription that is disabled", () =>
    Effect.gen(function* () {
      const { contact, organization, runId, subscription } = yield* given
      yield* disableWebhookSubscription({ id: subscription.id, ifVersion: null }).pipe(asOperatorOf(organization))
      const refusal = yield* Effect.flip(
        calling(organization, subscription.id, { runId, contactId: contact.id }, "Hello")
      )
      assert.strictEqual(refusal._tag, "WebhookSubscriptionDisabled")
    })
  )
})
