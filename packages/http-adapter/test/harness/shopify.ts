import { NodeHttpClient } from "@effect/platform-node"
import { layerStorePlatforms, StoreSettings } from "@parley/domain/commerce"
import * as Shopify from "@parley/provider-adapters/stores/shopify"
import { defaultStoreApp, type SimulatedShop } from "@parley/simulators/store"
import { Effect, Layer, Redacted } from "effect"
import { createServer } from "node:net"

/** Stores as the adapter of the provider reads them, at a simulator. */
export const layerShopify = (apiUrl: string, publicUrl: string, furtherScopes: ReadonlyArray<string> = []) =>
  Layer.mergeAll(
    Layer.succeed(StoreSettings, { publicUrl, returnOrigins: [] }),
    layerStorePlatforms({
      shopify: Shopify.make({
        app: {
          clientId: defaultStoreApp.clientId,
          clientSecret: Redacted.make(defaultStoreApp.clientSecret)
        },
        furtherScopes,
        baseUrl: apiUrl
      })
    }).pipe(Layer.provide(NodeHttpClient.layerUndici))
  )

/** A port without a listener. The provider must know the delivery address before the service starts. */
export const freePort = Effect.callback<number>((resume) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    server.close(() => resume(Effect.succeed(port)))
  })
})

const day = 86_400_000

/** A shop with purchases within the period that every app can read, and with very cheap calls. */
export const busyShop = {
  domain: "ada.myshopify.com",
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
} as const satisfies SimulatedShop

const linkOf = (page: string, words: string) => {
  const [, address = ""] = new RegExp(`<a href="([^"]*)">${words}</a>`, "u").exec(page) ?? []
  return address.replaceAll(/&#(\d+);/gu, (_, code: string) => String.fromCodePoint(Number(code)))
}

const isRedirect = ({ status }: Response) => status >= 300 && status < 400

/** Opens the address like a browser, and grants the access that the shop requests. Returns the address after the last redirect without opening it. */
export const agreeInBrowser = (address: string) =>
  Effect.promise(async () => {
    const page = await fetch(address)
    const agree = new URL(linkOf(await page.text(), "Install"), page.url)
    const callback = await fetch(agree, { redirect: "manual" })
    const back = await fetch(new URL(callback.headers.get("location") ?? "", agree), { redirect: "manual" })
    await back.arrayBuffer()
    return new URL(isRedirect(back) ? (back.headers.get("location") ?? "") : back.url)
  })
