import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import {
  afterFailure,
  allWebhookSubscriptions,
  type StoredWebhookSubscription,
  newHealth,
  WebhookSubscription,
  webhookSubscriptionCursorKey,
  WebhookSubscriptionId,
  type WebhookSubscriptionQuery,
  WebhookSubscriptions
} from "@parley/domain/integrations"
import { DateTime, Effect, Schema } from "effect"
import { newSubscription } from "../../../fixtures/webhooks.ts"
import type { StorageContract } from "../../contract.ts"
import { freshId, givenOrganization, inside } from "../../given.ts"

const encode = Schema.encodeSync(WebhookSubscription)

const at = (time: string) => DateTime.makeUnsafe(`2026-11-20T${time}Z`)

const added = Effect.fnUntraced(function* (overrides: Partial<WebhookSubscription> = {}) {
  const kept = newSubscription(freshId(WebhookSubscriptionId), overrides)
  yield* transact((yield* WebhookSubscriptions).insert(kept))
  return kept.subscription
})

const written: Partial<WebhookSubscription> = {
  name: "Warehouse “north” \\ 100 % 🎉",
  url: "https://warehouse.example:8443/hook?key=1",
  events: ["order.*", "message.received"],
  filter: { any: [{ field: "event.kind", op: "is", value: "text" }, { not: { field: "actor.kind", op: "is_set" } }] },
  payload: "full",
  ordering: "subject",
  headers: { "x-team": null },
  permissions: ["commerce.read", "conversations.read"]
}

export const webhookSubscriptions: StorageContract = {
  port: "WebhookSubscriptions",
  promises: (it) => {
    it.effect("lists subscriptions by name, URL, status and event, in the requested order, page after page", () =>
      Effect.gen(function* () {
        const subscriptions = yield* WebhookSubscriptions
        yield* Effect.gen(function* () {
          const [b, a, c] = [
            (yield* added({ name: "Ébène", events: ["order.*"], url: "https://Crm.example/hook" })).id,
            (yield* added({ name: "amber 100 %", events: ["*"], status: "disabled", disabledReason: "manual" })).id,
            (yield* added({ name: "Coral", events: ["message.received"] })).id
          ]
          const list = Effect.fnUntraced(function* (request: Partial<WebhookSubscriptionQuery>) {
            const query = { ...allWebhookSubscriptions, ...request }
            const ids: Array<WebhookSubscriptionId> = []
            let after: ReadonlyArray<string> | null = null
            do {
              const [row]: ReadonlyArray<WebhookSubscription> = yield* subscriptions.list(query, { limit: 1, after })
              if (row !== undefined) ids.push(row.id)
              after = row === undefined ? null : webhookSubscriptionCursorKey(query.sort, row)
            } while (after !== null)
            return ids
          })
          assert.deepStrictEqual(yield* list({}), [c, a, b])
          assert.deepStrictEqual(yield* list({ sort: "createdAt" }), [b, a, c])
          assert.deepStrictEqual(yield* list({ sort: "name" }), [a, c, b])
          assert.deepStrictEqual(yield* list({ sort: "-name" }), [b, c, a])
          assert.deepStrictEqual(yield* list({ q: "eben" }), [b])
          assert.deepStrictEqual(yield* list({ q: "crm.EXAMPLE" }), [b])
          assert.deepStrictEqual(yield* list({ q: "%" }), [a])
          assert.deepStrictEqual(yield* list({ status: "disabled" }), [a])
          assert.deepStrictEqual(yield* list({ event: "order.paid" }), [a, b])
          assert.deepStrictEqual(yield* list({ event: "message.received" }), [c, a])
          assert.deepStrictEqual(yield* list({ event: "message.failed" }), [a])
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("keeps all that is said, for the organization that has said it and no other", () =>
      Effect.gen(function* () {
        const subscriptions = yield* WebhookSubscriptions
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const subscription = yield* added(written).pipe(inside(one))
        const { id } = subscription
        const read = yield* subscriptions.get(id).pipe(inside(one))
        assert.deepStrictEqual(encode(read), encode(subscription))
        yield* Effect.gen(function* () {
          assert.strictEqual((yield* Effect.flip(subscriptions.get(id)))._tag, "NotFound")
          assert.isNull(yield* subscriptions.find(id))
          assert.strictEqual((yield* Effect.flip(transact(subscriptions.lock(id))))._tag, "NotFound")
          assert.strictEqual((yield* Effect.flip(transact(subscriptions.save(subscription, null))))._tag, "NotFound")
          assert.strictEqual((yield* Effect.flip(transact(subscriptions.remove(id, null))))._tag, "NotFound")
          yield* transact(subscriptions.keep(id, { startsAfter: 9 }))
          assert.strictEqual(yield* subscriptions.count(), 0)
          assert.lengthOf(yield* subscriptions.enabled(), 0)
          assert.lengthOf(yield* subscriptions.list(allWebhookSubscriptions, { limit: 10, after: null }), 0)
        }).pipe(inside(other))
        assert.strictEqual((yield* subscriptions.find(id).pipe(inside(one)))?.startsAfter, 0)
      })
    )

    it.effect("saves at the expected version, keeps the other fields, and removes", () =>
      Effect.gen(function* () {
        const subscriptions = yield* WebhookSubscriptions
        yield* Effect.gen(function* () {
          const before = yield* added()
          const { id } = before
          const changed = new WebhookSubscription({
            ...before,
            ...written,
            status: "disabled",
            disabledReason: "gone",
            disabledAtPosition: 7
          })
          assert.strictEqual((yield* Effect.flip(transact(subscriptions.save(changed, 2))))._tag, "VersionConflict")
          const saved = yield* transact(subscriptions.save(changed, 1))
          assert.deepStrictEqual(encode(saved), encode(new WebhookSubscription({ ...changed, version: 2 })))
          const part: Partial<StoredWebhookSubscription> = {
            startsAfter: 12,
            secrets: {
              secret: "new",
              former: [{ sealed: "old", until: at("10:00:00.123") }],
              headers: "sealed headers"
            },
            health: {
              ...afterFailure(newHealth, at("11:00:00.000")),
              circuit: "open",
              probeAt: at("11:01:00.000"),
              lastSuccessAt: at("09:00:00.000"),
              warnedAt: at("12:00:00.000")
            }
          }
          yield* transact(subscriptions.keep(id, part))
          const kept = yield* subscriptions.find(id)
          assert.deepStrictEqual(
            [kept?.startsAfter, kept?.secrets, kept?.health],
            [part.startsAfter, part.secrets, part.health]
          )
          const shown = yield* subscriptions.get(id)
          assert.deepStrictEqual(
            [
              shown.circuit,
              shown.lastSuccessAt === null ? null : DateTime.formatIso(shown.lastSuccessAt),
              shown.version
            ],
            ["open", "2026-11-20T09:00:00.000Z", 2]
          )
          assert.deepStrictEqual(yield* transact(subscriptions.lock(id)), kept)
          assert.strictEqual((yield* Effect.flip(transact(subscriptions.remove(id, 1))))._tag, "VersionConflict")
          yield* transact(subscriptions.remove(id, 2))
          assert.isNull(yield* subscriptions.find(id))
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("lists newest first, counts all, and finds enabled ones", () =>
      Effect.gen(function* () {
        const subscriptions = yield* WebhookSubscriptions
        yield* Effect.gen(function* () {
          const [one, two, three] = [yield* added(), yield* added({ status: "disabled" }), yield* added()]
          const page = yield* subscriptions.list(allWebhookSubscriptions, { limit: 2, after: null })
          assert.deepStrictEqual(
            page.map(({ id }) => id),
            [three.id, two.id]
          )
          const rest = yield* subscriptions.list(allWebhookSubscriptions, { limit: 2, after: [two.id] })
          assert.deepStrictEqual(
            rest.map(({ id }) => id),
            [one.id]
          )
          assert.strictEqual(yield* subscriptions.count(), 3)
          assert.deepStrictEqual(
            (yield* subscriptions.enabled()).map(({ subscription: { id } }) => id),
            [one.id, three.id]
          )
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("counts erasures for each subscription of the organization", () =>
      Effect.gen(function* () {
        const subscriptions = yield* WebhookSubscriptions
        const [organization, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const foreign = yield* added().pipe(inside(other))
        yield* Effect.gen(function* () {
          const [one, two] = [yield* added(), yield* added({ status: "disabled" })]
          yield* transact(subscriptions.countErasure())
          yield* transact(subscriptions.countErasure())
          const counts = yield* Effect.forEach([one, two], ({ id }) =>
            Effect.map(subscriptions.find(id), (kept) => kept?.erasures)
          )
          assert.deepStrictEqual(counts, [2, 2])
        }).pipe(inside(organization))
        assert.strictEqual((yield* subscriptions.find(foreign.id).pipe(inside(other)))?.erasures, 0)
      })
    )

    it.effect("a failed unit of work leaves nothing", () =>
      Effect.gen(function* () {
        const subscriptions = yield* WebhookSubscriptions
        yield* Effect.gen(function* () {
          const { id } = yield* added()
          yield* added().pipe(
            Effect.andThen(subscriptions.keep(id, { startsAfter: 3 })),
            Effect.andThen(subscriptions.remove(id, null)),
            Effect.andThen(Effect.fail("refused")),
            transact,
            Effect.flip
          )
          assert.strictEqual(yield* subscriptions.count(), 1)
          assert.strictEqual((yield* subscriptions.find(id))?.startsAfter, 0)
        }).pipe(inside(yield* givenOrganization()))
      })
    )
  }
}
