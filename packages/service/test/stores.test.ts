import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { StorePlatforms, StoreSettings } from "@parley/domain/commerce"
import { ConfigProvider, Effect, Redacted } from "effect"
import { layerStores } from "../src/providers.ts"
import { readSettings } from "../src/readSettings.ts"

/** Store settings of a service with these variables. */
const knownWith = (environment: Record<string, string>) =>
  Effect.gen(function* () {
    const settings = yield* readSettings({})
    return yield* Effect.gen(function* () {
      return { platforms: yield* StorePlatforms, settings: yield* StoreSettings }
    }).pipe(Effect.provide(layerStores(settings)))
  }).pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(environment)),
    Effect.provide(NodeServices.layer)
  )

const app = { PARLEY_STORE_CLIENT_ID: "client-1", PARLEY_STORE_CLIENT_SECRETS: "new-secret,old-secret" }

describe("the stores of a service", () => {
  it.effect("are on no platform unless there is an app", () =>
    Effect.gen(function* () {
      const { platforms, settings } = yield* knownWith({ PARLEY_BASE_URL: "https://parley.example" })
      assert.strictEqual(platforms.size, 0)
      assert.strictEqual(settings.publicUrl, "https://parley.example")
    })
  )

  it.effect("use Shopify through the app, with the operator's additional scopes", () =>
    Effect.gen(function* () {
      const { platforms } = yield* knownWith({
        ...app,
        PARLEY_STORE_API_URL: "http://127.0.0.1:4020",
        PARLEY_STORE_SCOPES: "read_all_orders, read_customer_merge"
      })
      assert.deepStrictEqual([...platforms.keys()], ["shopify"])
      const shop = "ada.myshopify.com"
      const address = new URL(
        platforms.get("shopify")?.authorizeUrl(shop, Redacted.make("state"), "https://a.example/b") ?? ""
      )
      assert.strictEqual(address.origin + address.pathname, `http://127.0.0.1:4020/${shop}/admin/oauth/authorize`)
      assert.strictEqual(address.searchParams.get("client_id"), "client-1")
      assert.strictEqual(
        address.searchParams.get("scope"),
        "read_customers,read_orders,read_products,read_all_orders,read_customer_merge"
      )
    })
  )

  it.effect.each([{ PARLEY_STORE_CLIENT_ID: "client-1" }, { PARLEY_STORE_CLIENT_SECRETS: "secret" }])(
    "need all of the app: %o",
    (environment) =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(knownWith(environment))
        assert.strictEqual(failure._tag, "WrongConfiguration")
        assert.include(failure.message, "PARLEY_STORE_CLIENT_ID")
        assert.notInclude(failure.message, '"secret"')
      })
  )

  it.effect("are not asked for scopes that are none, or with secrets that are too many", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(
        knownWith({ PARLEY_STORE_SCOPES: "everything", PARLEY_STORE_CLIENT_SECRETS: "a,b,hushhush" })
      )
      assert.include(failure.message, "PARLEY_STORE_SCOPES")
      assert.include(failure.message, "PARLEY_STORE_CLIENT_SECRETS")
      assert.notInclude(failure.message, "hushhush")
    })
  )
})
