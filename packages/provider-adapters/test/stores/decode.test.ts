import { assert, describe, it } from "@effect/vitest"
import type { StaleRecordKind, StoreDeliveryRequest, StoreSignal } from "@parley/domain/commerce"
import { make } from "@parley/provider-adapters/stores/shopify"
import { StoreSimulator } from "@parley/simulators/store"
import { DateTime, Effect, Redacted, Schema } from "effect"
import { NodeHttpClient } from "@effect/platform-node"
import { connect, domain, platform, simulated } from "./simulated.ts"

const delivery = (
  topic: string,
  body: unknown,
  headers: Record<string, string | undefined> = {}
): StoreDeliveryRequest => ({
  headers: {
    "x-shopify-topic": topic,
    "x-shopify-shop-domain": domain,
    "x-shopify-event-id": "an event",
    "x-shopify-triggered-at": "2026-11-01T10:00:00.123Z",
    ...headers
  },
  body: Buffer.from(JSON.stringify(body))
})

const decoder = Effect.scoped(
  Effect.map(
    Effect.provide(
      make({ app: { clientId: "app", clientSecret: Redacted.make("secret") } }),
      NodeHttpClient.layerUndici
    ),
    ({ decode }) => decode
  )
)

const signalsOf = (topic: string, body: unknown) =>
  Effect.map(decoder, (decode) => decode("", delivery(topic, body))?.signals)

const changed = (record: StaleRecordKind, externalId: string): StoreSignal => ({ kind: "changed", record, externalId })

describe("What Shopify delivers", () => {
  it.effect("marks what has changed", () =>
    Effect.gen(function* () {
      const order = { id: 5, checkout_token: "abc", order_id: 7 }
      for (const topic of ["create", "updated", "paid", "cancelled", "fulfilled"]) {
        assert.deepStrictEqual(yield* signalsOf(`orders/${topic}`, order), [
          changed("orders", "5"),
          { kind: "cart_completed", token: "abc" }
        ])
      }
      for (const topic of ["refunds/create", "fulfillments/create", "fulfillments/update"]) {
        assert.deepStrictEqual(yield* signalsOf(topic, order), [changed("orders", "7")])
      }
      assert.deepStrictEqual(yield* signalsOf("orders/edited", { order_edit: { id: 1, order_id: 9 } }), [
        changed("orders", "9")
      ])
      assert.deepStrictEqual(yield* signalsOf("customers/update", { id: 5 }), [changed("customers", "5")])
      assert.deepStrictEqual(yield* signalsOf("customers_marketing_consent/update", { customer_id: 6 }), [
        changed("customers", "6")
      ])
      assert.deepStrictEqual(yield* signalsOf("products/create", { id: 5 }), [changed("products", "5")])
      assert.deepStrictEqual(yield* signalsOf("products/delete", { id: 5 }), [
        { kind: "deleted", record: "products", externalId: "5" }
      ])
    })
  )

  it.effect("reads reports about customers, shops and the app", () =>
    Effect.gen(function* () {
      const merge = (status: string | null) =>
        signalsOf("customers/merge", {
          admin_graphql_api_customer_kept_id: "gid://shopify/Customer/1",
          admin_graphql_api_customer_deleted_id: "gid://shopify/Customer/2",
          status
        })
      for (const status of ["completed", "COMPLETED"]) {
        assert.deepStrictEqual(yield* merge(status), [{ kind: "customers_merged", keptId: "1", mergedId: "2" }])
      }
      for (const status of ["failed", "in_progress", "requested", "another", null]) {
        assert.deepStrictEqual(yield* merge(status), [changed("customers", "1"), changed("customers", "2")])
      }
      assert.deepStrictEqual(yield* signalsOf("app/uninstalled", { id: 3 }), [
        { kind: "uninstalled", at: DateTime.makeUnsafe("2026-11-01T10:00:00.123Z") }
      ])
      assert.deepStrictEqual(yield* signalsOf("app/scopes_update", { current: ["read_orders", 1] }), [
        { kind: "scopes_changed", scopes: ["read_orders"] }
      ])
      assert.deepStrictEqual(yield* signalsOf("shop/update", { id: 3 }), [{ kind: "shop_changed", shop: null }])
      const renamed = {
        id: 3,
        name: "Ada",
        myshopify_domain: "Byron.myshopify.com",
        currency: "EUR",
        country_code: "DE"
      }
      assert.deepStrictEqual(yield* signalsOf("shop/update", renamed), [
        {
          kind: "shop_changed",
          shop: { shopId: "3", shopDomain: "byron.myshopify.com", name: "Ada", currency: "EUR", country: "DE" }
        }
      ])
      assert.deepStrictEqual(yield* signalsOf("app/scopes_update", { id: 3 }), [])
      const customer = { id: 4, email: "ada@example.com", phone: "+4915120000001" }
      const about = { externalCustomerId: "4", phone: customer.phone, email: customer.email }
      assert.deepStrictEqual(
        yield* signalsOf("customers/data_request", { shop_id: 3, customer, data_request: { id: 9 } }),
        [{ kind: "data_request", requestId: "9", ...about, externalOrderIds: [] }]
      )
      assert.deepStrictEqual(yield* signalsOf("customers/redact", { shop_id: 3, customer, orders_to_redact: [1, 2] }), [
        { kind: "redact_customer", ...about, externalOrderIds: ["1", "2"] }
      ])
      assert.deepStrictEqual(yield* signalsOf("shop/redact", { shop_id: 3 }), [{ kind: "redact_shop" }])
      assert.deepStrictEqual(yield* signalsOf("themes/publish", { id: 3 }), [
        { kind: "unknown", topic: "themes/publish" }
      ])
    })
  )

  it.effect("reads a cart with amounts in the smallest unit of its currency", () =>
    Effect.gen(function* () {
      const cart = (currency: string, price: string) => ({
        id: 1,
        token: "t",
        currency,
        email: "",
        phone: null,
        customer: { id: 2, phone: "+4915120000001" },
        total_price: price,
        updated_at: "2026-11-01T10:00:00+01:00",
        line_items: [{ product_id: 1, variant_id: 2, title: "Cup", quantity: 2, price, applied_discounts: [] }]
      })
      for (const [currency, price, amountMinor] of [
        ["EUR", "19.99", 1_999],
        ["JPY", "1500.0", 1_500],
        ["KWD", "1.234", 1_234],
        ["EUR", "0.125", 13]
      ] as const) {
        const [signal] = (yield* signalsOf("checkouts/update", cart(currency, price))) ?? []
        assert.strictEqual(signal?.kind, "cart")
        if (signal?.kind !== "cart") continue
        assert.deepStrictEqual(signal.cart.total, { amountMinor, currency })
        assert.deepStrictEqual(signal.cart.lines[0]?.unitPrice, { amountMinor, currency })
        assert.strictEqual(signal.cart.phone, "+4915120000001")
        assert.isNull(signal.cart.email)
      }
    })
  )

  it.effect("reads the id of a cart in deliveries of older versions, else the token", () =>
    Effect.gen(function* () {
      const cart = { token: "t", currency: "EUR", total_price: "1.00", updated_at: "2026-11-01T10:00:00Z" }
      const idIn = (body: object) =>
        Effect.map(signalsOf("checkouts/create", body), (signals) =>
          signals?.map((signal) => (signal.kind === "cart" ? signal.cart.externalId : signal.kind))
        )
      assert.deepStrictEqual(yield* idIn({ id: 5, ...cart }), ["5"])
      assert.deepStrictEqual(yield* idIn(cart), ["t"])
      assert.deepStrictEqual(yield* idIn({ ...cart, token: null }), [])
    })
  )

  it.effect("reads ids that a number cannot hold, digit by digit", () =>
    Effect.gen(function* () {
      const decode = yield* decoder
      const body = Buffer.from('{"id":820982911946154508,"checkout_token":"abc","total_price":"404.95"}')
      const delivered = decode("", { ...delivery("orders/create", {}), body })
      assert.deepStrictEqual(delivered?.signals, [
        changed("orders", "820982911946154508"),
        { kind: "cart_completed", token: "abc" }
      ])
      assert.isNull(decode("", { ...delivery("orders/create", {}), body: Buffer.from('{"id":820982911946154508') }))
    })
  )

  it.effect("uses the topic of the headers, else of the path", () =>
    Effect.gen(function* () {
      const decode = yield* decoder
      const headed = decode("shop/update", delivery("products/create", { id: 1 }))
      assert.strictEqual(headed?.topic, "products/create")
      for (const topic of ["products/create", "products_create", "PRODUCTS_CREATE", "products-create"]) {
        const result = decode(topic, delivery("", { id: 1 }, { "x-shopify-topic": undefined }))
        assert.deepStrictEqual(result?.signals, [{ kind: "changed", record: "products", externalId: "1" }])
      }
      const named = decode(
        "shop/redact",
        delivery("shop/redact", { shop_id: 3, shop_domain: domain }, { "x-shopify-shop-domain": undefined })
      )
      assert.strictEqual(named?.shopDomain, domain)
      assert.strictEqual(named?.shopId, "3")
      assert.isNull(decode("", delivery("products/create", { id: 1 }, { "x-shopify-shop-domain": "evil.example.com" })))
    })
  )

  it.live("reads the carts of the simulator as its books have them", () =>
    Effect.gen(function* () {
      const simulator = yield* StoreSimulator
      const { decode, subscribe } = yield* platform
      const { access } = yield* connect()
      yield* subscribe(access, "http://127.0.0.1:9/hook")
      const [customer] = [...simulator.books(domain).customers()]
      const id = simulator.act({ kind: "begin_checkout", shop: domain, customer: Number(customer?.externalId) })
      const delivered = simulator.deliveries().find(({ topic }) => topic === "checkouts/create")
      const decoded = decode("", { headers: delivered?.headers ?? {}, body: Buffer.from(delivered?.body ?? "") })
      const cart = simulator
        .books(domain)
        .carts()
        .find(({ externalId }) => externalId === String(id))
      if (cart?.token == null) return assert.fail("The shop has no such cart.")
      // Deliveries contain neither the id of the cart nor images.
      const lines = cart.lines.map((line) => ({ ...line, imageUrl: null }))
      assert.deepStrictEqual(decoded?.signals, [{ kind: "cart", cart: { ...cart, externalId: cart.token, lines } }])
    }).pipe(Effect.provide(simulated({ attempts: 1 })))
  )

  const topics = [
    "orders/create",
    "orders/edited",
    "orders/delete",
    "refunds/create",
    "checkouts/update",
    "checkouts/delete",
    "customers/merge",
    "customers/redact",
    "customers/data_request",
    "app/uninstalled",
    "app/scopes_update",
    "shop/update"
  ] as const
  const fields = [
    "id",
    "customer",
    "line_items",
    "currency",
    "total_price",
    "updated_at",
    "orders_to_redact",
    "order_edit"
  ] as const
  const cart = { id: 1, token: "t", currency: "EUR", total_price: "1.00", updated_at: "2026-11-01T10:00:00Z" }

  it.effect.prop(
    "throws at nothing, and gives the same for the same",
    {
      topic: Schema.Literals(topics),
      field: Schema.Literals(fields),
      value: Schema.Json,
      header: Schema.String
    },
    ({ field, header, topic, value }) =>
      Effect.map(decoder, (decode) => {
        const line = { quantity: 1, price: "1", applied_discounts: [value], [field]: value }
        for (const body of [value, { [field]: value }, { ...cart, line_items: [line, value], [field]: value }]) {
          const request = delivery(topic, body, { "x-shopify-triggered-at": header, "x-shopify-event-id": header })
          assert.deepStrictEqual(decode(header, request), decode(header, request))
        }
      })
  )

  it.effect.prop("throws at no bytes", { text: Schema.String }, ({ text }) =>
    Effect.map(decoder, (decode) => {
      decode(text, { headers: { "x-shopify-topic": text, "x-shopify-shop-domain": text }, body: Buffer.from(text) })
    })
  )
})
