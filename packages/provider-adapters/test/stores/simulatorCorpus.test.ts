import { assert, describe, it } from "@effect/vitest"
import { StoreSimulator } from "@parley/simulators/store"
import { shopifyWebhookFacts } from "@parley/testkit/corpora/shopify"
import { Effect, Predicate } from "effect"
import { app, connect, domain, platform, simulated } from "./simulated.ts"

/** The type of a value in JSON. `null` in a published example says nothing about the type of the field. */
const typeOf = (value: unknown) => (value === null ? "null" : Array.isArray(value) ? "list" : typeof value)

/** Fields of only one of the payloads, and fields with two types. An empty published list or object says nothing about its content. */
const differences = (simulated: unknown, published: unknown, path = ""): ReadonlyArray<string> => {
  if (simulated === null || published === null) return []
  if (typeOf(simulated) !== typeOf(published)) return [`${path}: ${typeOf(simulated)}, not ${typeOf(published)}`]
  if (Array.isArray(simulated) && Array.isArray(published)) {
    return published.length === 0
      ? []
      : simulated.flatMap((each, place) => differences(each, published[0], `${path}/${place}`))
  }
  if (!Predicate.isObject(simulated) || !Predicate.isObject(published)) return []
  return [
    ...Object.entries(simulated).flatMap(([name, value]) =>
      Object.hasOwn(published, name)
        ? differences(value, Reflect.get(published, name), `${path}/${name}`)
        : [`${path}/${name}: unknown`]
    ),
    ...Object.keys(published).flatMap((name) => (Object.hasOwn(simulated, name) ? [] : [`${path}/${name}: missing`]))
  ]
}

const first = (ids: IteratorObject<{ readonly externalId: string }, undefined>) => Number(ids.next().value?.externalId)

/** Causes every event of a shop, the end of the app last. */
const causeAll = Effect.gen(function* () {
  const simulator = yield* StoreSimulator
  const { act } = simulator
  const shop = domain
  const customer = act({
    kind: "add_customer",
    shop,
    firstName: "Ada",
    phone: "+4915120000001",
    email: "ada@example.com"
  })
  const other = act({ kind: "add_customer", shop, firstName: "Augusta" })
  act({ kind: "change_customer", shop, customer, sms: "SUBSCRIBED", emails: "SUBSCRIBED" })
  const product = act({ kind: "add_product", shop, title: "A cup", price: 900, variants: 2 })
  act({ kind: "change_product", shop, product, price: 950 })
  const checkout = act({ kind: "begin_checkout", shop, customer, items: [{ product }] })
  act({ kind: "change_checkout", shop, checkout })
  const order = act({ kind: "buy", shop, checkout })
  act({ kind: "fulfil", shop, order, partial: true })
  act({ kind: "fulfil", shop, order, status: "DELIVERED" })
  act({ kind: "fulfil", shop, order: act({ kind: "buy", shop, customer }) })
  act({ kind: "refund", shop, order, amount: 100 })
  act({ kind: "edit", shop, order })
  act({ kind: "cancel", shop, order })
  act({ kind: "delete_order", shop, order })
  act({ kind: "delete_checkout", shop, checkout: first(simulator.books(domain).carts()) })
  act({ kind: "merge_customers", shop, kept: customer, merged: other, status: "failed" })
  act({ kind: "merge_customers", shop, kept: customer, merged: other })
  act({ kind: "request_data", shop, customer })
  act({ kind: "redact_customer", shop, customer })
  act({ kind: "delete_customer", shop, customer })
  act({ kind: "delete_product", shop, product })
  act({ kind: "rename", shop, to: domain, name: "Ada's" })
  const scopes = simulator.scopes(domain) ?? []
  act({ kind: "change_scopes", shop, scopes: scopes.slice(1) })
  act({ kind: "uninstall", shop })
  act({ kind: "redact_shop", shop })
  return simulator.deliveries()
})

const exportMillis = 10

const complianceUrl = "http://127.0.0.1:9/compliance"
const furtherScopes = ["read_all_orders", "read_customer_merge", "read_fulfillments"]

describe("The deliveries of the simulated provider", () => {
  it.live("have the published topics and payloads", () =>
    Effect.gen(function* () {
      const { access } = yield* connect()
      const { export: exported, subscribe } = yield* platform
      yield* subscribe(access, "http://127.0.0.1:9/hook")
      yield* exported(access, "products", null, null)
      const { advance, deliveries: delivered } = yield* StoreSimulator
      advance(exportMillis)
      yield* Effect.repeat(Effect.sleep("5 millis"), { until: () => delivered().length > 0 })
      const deliveries = yield* causeAll
      const facts = shopifyWebhookFacts()
      const topics = (all: ReadonlyArray<{ readonly topic: string }>) =>
        [...new Set(all.map(({ topic }) => topic))].toSorted()
      assert.deepStrictEqual(topics(deliveries), topics(facts))
      for (const { body, topic } of deliveries) {
        const published = facts.find((fact) => fact.topic === topic)?.body
        assert.deepStrictEqual(differences(JSON.parse(body), published), [], topic)
      }
    }).pipe(
      Effect.provide(
        simulated(
          { attempts: 1, app: { clientId: app.clientId, clientSecret: "simulator-client-secret", complianceUrl } },
          { furtherScopes }
        )
      )
    )
  )
})
