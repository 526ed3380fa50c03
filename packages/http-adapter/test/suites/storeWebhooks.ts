import { assert } from "@effect/vitest"
import { InboundDeliveries } from "@parley/domain/platform"
import {
  decodeEnvelope,
  type StoreConnection,
  StoreConnections,
  StaleRecords,
  type StoreSignal
} from "@parley/domain/commerce"
import { type Ports, processDueDeliveries } from "@parley/domain/composition"
import { givenStore } from "@parley/testkit"
import { DateTime, Effect, type Layer } from "effect"
import { assertProblem, assertStatus } from "../harness/answers.ts"
import { call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import { storeScript } from "../harness/stores.ts"
import { givenTenant, inside, type Tenant } from "../harness/tenants.ts"

const paths = [
  { path: "/webhooks/storefront/shopify" },
  { path: "/webhooks/storefront/" },
  { path: "/webhooks/storefront/shopify/" },
  { path: "/webhooks/storefront/shopify/orders/create/again" },
  { path: "/webhooks/storefront/a/b/c/d/e%2Ff" },
  { path: "/webhooks/storefront/%E2%82%AC/x" },
  { path: `/webhooks/storefront/shopify/${"x".repeat(1_000)}` },
  { path: "/api/v1/webhooks/storefront/" },
  { path: "/api/v1/webhooks/storefront/a/b/c/d" },
  { path: "/webhooks/storefront/shopify/orders_create" },
  { path: "/webhooks/storefront/shopify/orders/create" },
  { path: "/api/v1/webhooks/storefront/shopify" },
  { path: "/api/v1/webhooks/storefront/shopify/orders_create" },
  { path: "/api/v1/webhooks/storefront/shopify/orders/create" }
]

const [{ path: anyPath } = { path: "" }] = paths

const changed = (externalId = "1"): StoreSignal => ({ kind: "changed", record: "orders", externalId })

const stored = ({ organization }: Tenant) =>
  Effect.flatMap(InboundDeliveries, (deliveries) => deliveries.list(null, { limit: 100, after: null })).pipe(
    inside(organization)
  )

const marked = ({ organization }: Tenant, { id }: StoreConnection) =>
  Effect.flatMap(StaleRecords, (marks) => marks.oldest(id, "orders", 100)).pipe(
    inside(organization),
    Effect.map((marks) => marks.map(({ externalId }) => externalId))
  )

const statusOf = ({ organization }: Tenant, { id }: StoreConnection) =>
  Effect.flatMap(StoreConnections, (connections) => connections.get(id)).pipe(
    inside(organization),
    Effect.map(({ status }) => status)
  )

const givenStage = Effect.gen(function* () {
  const tenant = yield* givenTenant()
  const store = yield* givenStore(tenant.organization)
  const { delivers } = yield* storeScript
  const delivery = (overrides: Partial<Parameters<typeof delivers>[0]> = {}) =>
    delivers({ shop: store.shopDomain, topic: "orders/create", signals: [changed()], ...overrides })
  return { tenant, store, delivery }
})

/** Endpoints for shops. */
export const storeWebhooksSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect.each(paths)("a signed delivery is stored for good before 200, at $path", ({ path }) =>
      Effect.gen(function* () {
        const { delivery, store, tenant } = yield* givenStage
        const answer = yield* call("POST", path, delivery())
        assertStatus(answer, 200)
        assert.strictEqual(answer.text, "")
        const [kept, ...others] = yield* stored(tenant)
        assert.lengthOf(others, 0)
        assert.deepInclude({ ...kept }, { source: "stores", provider: "shopify", state: "waiting" })
        yield* processDueDeliveries
        assert.deepStrictEqual(yield* marked(tenant, store), ["1"])
        assert.deepInclude({ ...(yield* stored(tenant))[0] }, { state: "applied", events: 1, unknown: 0 })
      })
    )

    it.effect("the topic comes from the header, else from the path", () =>
      Effect.gen(function* () {
        const { delivery, tenant } = yield* givenStage
        const { headers, ...request } = delivery()
        const { "x-memory-topic": _, ...bare } = headers
        assertStatus(yield* call("POST", "/webhooks/storefront/shopify/products/update", { ...request, headers }), 200)
        assertStatus(
          yield* call("POST", "/webhooks/storefront/shopify/products/update", { ...request, headers: bare }),
          200
        )
        const deliveries = yield* InboundDeliveries
        const topics = yield* Effect.forEach(yield* stored(tenant), ({ id }) =>
          Effect.map(deliveries.get(id), ({ body }) => decodeEnvelope(body)?.topic)
        ).pipe(inside(tenant.organization), Effect.orDie)
        assert.deepStrictEqual(topics.toSorted(), ["orders/create", "products/update"])
      })
    )

    it.effect("a repeated delivery changes nothing, identified by its event, topic and body", () =>
      Effect.gen(function* () {
        const { delivery, tenant } = yield* givenStage
        const one = delivery({ eventId: "event-1" })
        const withHeader = (name: string, value: string) => ({ ...one, headers: { ...one.headers, [name]: value } })
        for (const repeated of [one, one]) assertStatus(yield* call("POST", anyPath, repeated), 200)
        assert.lengthOf(yield* stored(tenant), 1)
        for (const other of [
          withHeader("x-memory-event", "event-2"),
          withHeader("x-memory-topic", "orders/paid"),
          // One event of a shop can change several records.
          delivery({ eventId: "event-1", signals: [changed("2")] })
        ]) {
          assertStatus(yield* call("POST", anyPath, other), 200)
        }
        assert.lengthOf(yield* stored(tenant), 4)
        const plain = delivery()
        assertStatus(yield* call("POST", anyPath, plain), 200)
        yield* processDueDeliveries
        assertStatus(yield* call("POST", anyPath, plain), 200)
        assert.lengthOf(yield* stored(tenant), 5)
      })
    )

    it.effect("an unsigned delivery is refused without a trace", () =>
      Effect.gen(function* () {
        const { delivery, tenant } = yield* givenStage
        const { headers, text } = delivery()
        const signature = headers["x-memory-signature"] ?? ""
        const { "x-memory-signature": _, ...unsigned } = headers
        const turned = `${signature.startsWith("0") ? "1" : "0"}${signature.slice(1)}`
        for (const forged of [
          { text, headers: unsigned },
          { text, headers: { ...headers, "x-memory-signature": "" } },
          { text, headers: { ...headers, "x-memory-signature": turned } },
          { text, headers: { ...headers, "x-memory-signature": `${signature}, ${signature}` } },
          { text: `${text} `, headers },
          { text: "", headers }
        ]) {
          assertProblem(yield* call("POST", anyPath, forged), 401, "webhook_signature_invalid")
        }
        assert.lengthOf(yield* stored(tenant), 0)
      })
    )

    it.effect("a signed delivery is accepted with every media type and unknown content", () =>
      Effect.gen(function* () {
        const { delivery, tenant } = yield* givenStage
        for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1"]) {
          const { headers, text } = delivery({ eventId: type })
          assertStatus(yield* call("POST", anyPath, { text, headers: { ...headers, "content-type": type } }), 200)
        }
        const topic = "themes/publish"
        assertStatus(yield* call("POST", anyPath, delivery({ topic, signals: [{ kind: "unknown", topic }] })), 200)
        yield* processDueDeliveries
        const unknown = (yield* stored(tenant)).map((each) => each.unknown)
        assert.deepStrictEqual(unknown, [1, 0, 0, 0])
      })
    )

    it.effect("a delivery that is too large is refused before it is read", () =>
      Effect.gen(function* () {
        const { delivery, tenant } = yield* givenStage
        const { headers } = delivery()
        const bytes = new Uint8Array(3 * 1024 * 1024 + 1)
        assertProblem(yield* call("POST", anyPath, { bytes, headers }), 413, "payload_too_large")
        assert.lengthOf(yield* stored(tenant), 0)
      })
    )

    it.effect("a delivery of an unconnected shop is answered with 200 without a trace", () =>
      Effect.gen(function* () {
        const { delivery, store, tenant } = yield* givenStage
        assertStatus(yield* call("POST", anyPath, delivery({ shop: "nobody.myshopify.com" })), 200)
        assertStatus(yield* call("POST", anyPath, delivery({ shopId: `${store.shopId}0` })), 200)
        assert.lengthOf(yield* stored(tenant), 0)
      })
    )

    it.effect("critical deliveries must name the shop in the signed body: other headers change nothing", () =>
      Effect.gen(function* () {
        const { delivery, store, tenant } = yield* givenStage
        const other = yield* givenStage
        const at = yield* DateTime.now
        const gone: StoreSignal = { kind: "uninstalled", at }
        for (const smuggled of [
          delivery({ topic: "app/uninstalled", signals: [gone] }),
          delivery({ topic: "app/uninstalled", signals: [gone], shopId: other.store.shopId ?? "" })
        ]) {
          assertStatus(yield* call("POST", anyPath, smuggled), 200)
        }
        yield* processDueDeliveries
        assert.strictEqual(yield* statusOf(tenant, store), "connected")
        // The last delivery was signed for the other shop, which is deleted.
        assert.strictEqual(yield* statusOf(other.tenant, other.store), "uninstalled")
        assert.lengthOf(yield* stored(tenant), 0)
      })
    )

    it.effect("each organization gets what is about its own shop", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* givenStage, yield* givenStage]
        assertStatus(yield* call("POST", anyPath, one.delivery({ eventId: "same" })), 200)
        assertStatus(yield* call("POST", anyPath, other.delivery({ eventId: "same", signals: [changed("2")] })), 200)
        yield* processDueDeliveries
        assert.deepStrictEqual(yield* marked(one.tenant, one.store), ["1"])
        assert.deepStrictEqual(yield* marked(other.tenant, other.store), ["2"])
        assert.lengthOf(yield* stored(one.tenant), 1)
      })
    )
  })
