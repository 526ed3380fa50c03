import { NodeHttpClient } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import type { StaleRecordKind, StoreSignal } from "@parley/domain/commerce"
import { make } from "@parley/provider-adapters/stores/shopify"
import { shopifyWebhookFacts } from "@parley/testkit/corpora/shopify"
import { DateTime, Effect, Redacted } from "effect"
import { topics } from "../../src/stores/shopify/topics.ts"

const order = "8209829119461"
const customer = "7064055069303"
const product = "7880321196742"
const triggeredAt = "2026-07-10T16:15:47.000Z"

const changed = (record: StaleRecordKind, externalId: string): StoreSignal => ({ kind: "changed", record, externalId })
const deleted = (record: StaleRecordKind, externalId: string): StoreSignal => ({ kind: "deleted", record, externalId })

const usd = (amountMinor: number) => ({ amountMinor, currency: "USD" })

const cart: StoreSignal = {
  kind: "cart",
  cart: {
    // The payload has no id, so the token replaces it.
    externalId: "123123123",
    token: "123123123",
    externalCustomerId: "6038519707167",
    phone: "555-555-SHIP",
    email: "example@email.com",
    lines: [
      {
        externalProductId: "632910392",
        externalVariantId: "808950810",
        sku: "IPOD2008PINK",
        title: "IPod Nano - 8GB",
        variantTitle: "Pink",
        imageUrl: null,
        quantity: 1,
        currentQuantity: 1,
        unitPrice: usd(19_900),
        discount: usd(0)
      }
    ],
    total: usd(42_188),
    recoveryUrl: "https://checkout.local/548380009/checkouts/123123123/recover?key=example-secret-token",
    completedAt: null,
    updatedAt: DateTime.makeUnsafe("2022-01-01T00:00:00Z")
  }
}

const person = { externalCustomerId: "191167", phone: "555-625-1199", email: "john@example.com" }

const externalOrderIds = ["299938", "280263", "220458"]

/** The signals of each topic. */
const expected: Readonly<Record<string, ReadonlyArray<StoreSignal>>> = {
  "app-scopes-update": [{ kind: "scopes_changed", scopes: ["read_products", "write_products"] }],
  "app-uninstalled": [{ kind: "uninstalled", at: DateTime.makeUnsafe(triggeredAt) }],
  "bulk-operations-finish": [{ kind: "export_finished" }],
  "checkouts-create": [cart],
  "checkouts-delete": [{ kind: "cart_deleted", externalId: "9818200792552" }],
  "checkouts-update": [cart],
  "customers-create": [changed("customers", customer)],
  "customers-data-request": [{ kind: "data_request", requestId: "9999", ...person, externalOrderIds }],
  "customers-delete": [deleted("customers", customer)],
  "customers-email-marketing-consent-update": [changed("customers", customer)],
  "customers-marketing-consent-update": [changed("customers", customer)],
  "customers-merge": [changed("customers", "1"), changed("customers", "2")],
  "customers-redact": [{ kind: "redact_customer", ...person, externalOrderIds }],
  "customers-update": [changed("customers", customer)],
  "fulfillment-events-create": [changed("orders", order)],
  "fulfillments-create": [changed("orders", order)],
  "fulfillments-update": [changed("orders", order)],
  "orders-cancelled": [changed("orders", order)],
  "orders-create": [changed("orders", order)],
  "orders-delete": [deleted("orders", order)],
  "orders-edited": [changed("orders", order)],
  "orders-fulfilled": [changed("orders", order)],
  "orders-paid": [changed("orders", order)],
  "orders-partially-fulfilled": [changed("orders", order)],
  "orders-updated": [changed("orders", order)],
  "products-create": [changed("products", product)],
  "products-delete": [deleted("products", product)],
  "products-update": [changed("products", product)],
  "refunds-create": [changed("orders", order)],
  "shop-redact": [{ kind: "redact_shop" }],
  // The shop of the example has no domain.
  "shop-update": [{ kind: "shop_changed", shop: null }]
}

describe("The published deliveries of Shopify", () => {
  const facts = shopifyWebhookFacts()

  it("cover every topic that the adapter subscribes to", () => {
    const known = facts.flatMap(({ subscription }) => subscription ?? [])
    assert.deepStrictEqual(known.toSorted(), topics.toSorted())
    assert.deepStrictEqual(facts.map(({ name }) => name).toSorted(), Object.keys(expected).toSorted())
  })

  it.effect.each(facts)("are read: $name", ({ apiVersion, body, name, topic }) =>
    Effect.scoped(
      Effect.gen(function* () {
        const { decode } = yield* make({ app: { clientId: "app", clientSecret: Redacted.make("secret") } })
        const delivery = decode("", {
          headers: {
            "x-shopify-topic": topic,
            "x-shopify-shop-domain": "example.myshopify.com",
            "x-shopify-api-version": apiVersion,
            "x-shopify-event-id": "59d6d79c-595f-4e7e-bc6f-72f5c3d0c66f",
            "x-shopify-triggered-at": triggeredAt
          },
          body: Buffer.from(JSON.stringify(body))
        })
        assert.deepStrictEqual(delivery?.signals, expected[name])
      })
    ).pipe(Effect.provide(NodeHttpClient.layerUndici))
  )
})
