import { NodeHttpClient } from "@effect/platform-node"
import { type RequestParameters, type ShopAccess, StorePlatforms } from "@parley/domain/commerce"
import { layer as shopify, type ShopifyOptions } from "@parley/provider-adapters/stores/shopify"
import {
  defaultStoreApp,
  layer as simulator,
  type RunningStoreSimulator,
  type SimulatedShop,
  StoreSimulator,
  type StoreSimulatorOptions
} from "@parley/simulators/store"
import { Effect, Layer, Redacted } from "effect"

export const domain = "ada.myshopify.com"

const day = 86_400_000

/** A shop with purchases of the last 50 days. */
export const shop: SimulatedShop = {
  domain,
  name: "Ada",
  currency: "EUR",
  country: "DE",
  seed: "ada",
  customers: 30,
  orders: 60,
  products: 20,
  abandonedCheckouts: 12,
  historyMillis: 50 * day,
  points: 100_000,
  pointsPerSecond: 100_000
}

export const app = {
  clientId: defaultStoreApp.clientId,
  clientSecret: Redacted.make(defaultStoreApp.clientSecret)
}

export const redirectUri = "https://parley.test/integrations/storefront/shopify/callback"

/** The adapter with its own simulator over loopback. */
export const simulated = (options: StoreSimulatorOptions = {}, adapter: Partial<ShopifyOptions> = {}) =>
  Layer.unwrap(Effect.map(StoreSimulator, ({ url }) => shopify({ app, baseUrl: url, ...adapter }))).pipe(
    Layer.provide(NodeHttpClient.layerUndici),
    Layer.provideMerge(simulator({ shops: [shop], bulkMillis: 10, ...options }))
  )

/** The platform of the stores. */
export const platform = Effect.flatMap(StorePlatforms, (platforms) =>
  Effect.fromNullishOr(platforms.get("shopify"))
).pipe(Effect.orDie)

/** The parameters of an address. */
export const parametersOf = (address: string): RequestParameters => Object.fromEntries(new URL(address).searchParams)

/** The merchant agrees. */
export const agree = (running: RunningStoreSimulator, authorizeUrl: string) =>
  parametersOf(running.decide(authorizeUrl, true))

/** The merchant agrees, and the code is exchanged for a grant. */
export const connect = (shopDomain = domain) =>
  Effect.gen(function* () {
    const running = yield* StoreSimulator
    const { authorizeUrl, exchange, readCallback } = yield* platform
    const query = agree(running, authorizeUrl(shopDomain, Redacted.make("a state"), redirectUri))
    const grant = yield* exchange(shopDomain, readCallback(query)?.code ?? Redacted.make("none"))
    const access: ShopAccess = { shopDomain, accessToken: grant.accessToken }
    return { grant, access }
  })
