import {
  readShopDomain,
  type Shop,
  type ShopDomain,
  type StoreGrant,
  type StorePlatform,
  StorePlatforms,
  StoreRefused,
  type StoreSignal,
  StoreUnreachable
} from "@parley/domain/commerce"
import { Context, DateTime, Effect, Layer, Option, Redacted, Schema } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"

const provider = "shopify"
const secret = "store-app-secret"

/** Authorizations to grant in shops. */
export const wantedScopes = ["read_customers", "read_orders", "read_products"] as const

/** Callback parameters of a shop, before they are signed. */
export interface ComesBack {
  readonly shop: string
  readonly state: string
  /** Absent after denial. */
  readonly code?: string
  readonly at: DateTime.Utc
}

/** Deliveries of a shop. */
export interface Delivers {
  readonly shop: string
  readonly shopId?: string
  readonly topic?: string
  readonly eventId?: string
  readonly signals: ReadonlyArray<StoreSignal>
}

/** The provider's side of stores in memory, with the interface for tests. */
export class ShopScript extends Context.Service<
  ShopScript,
  {
    /** A code that is good once, for a grant of these scopes. */
    readonly addCode: (shopDomain: string, code: string, scopes?: ReadonlyArray<string>) => Effect.Effect<void>
    /** Marks the code as spent or expired in the shop. */
    readonly forgetCode: (code: string) => Effect.Effect<void>
    /** Completes the next exchange of the shop and drops its answer. */
    readonly loseExchange: (shopDomain: string) => Effect.Effect<void>
    /** Changes the shop details that the platform returns. */
    readonly setShop: (shopDomain: string, shop: Partial<Shop>) => Effect.Effect<void>
    /** From then on a shop cannot be reached, or can be again. */
    readonly setReachable: (shopDomain: string, isReachable: boolean) => Effect.Effect<void>
    /** Returns the signed parameters of the redirect back from the provider. */
    readonly comesBack: (what: ComesBack) => Readonly<Record<string, string>>
    /** A delivery of a shop, as the provider signs it. */
    readonly delivers: (what: Delivers) => {
      readonly text: string
      readonly headers: Record<string, string>
    }
    /** Delivery URLs that shops were subscribed with. */
    readonly subscribed: Effect.Effect<ReadonlyArray<string>>
  }
>()("@parley/testkit/memory/commerce/AgreeingStores") {}

const sign = (parameters: Readonly<Record<string, string | undefined>>) =>
  createHmac("sha256", secret)
    .update(
      Object.entries(parameters)
        .filter(([name]) => name !== "hmac")
        .map(([name, value]) => `${name}=${value}`)
        .toSorted()
        .join("&")
    )
    .digest()

const signatureOf = (body: string | Uint8Array) => createHmac("sha256", secret).update(body).digest()

const form = /^[0-9a-f]{64}$/u

const isSigned = (body: Uint8Array, claimed: string) =>
  form.test(claimed) && timingSafeEqual(Buffer.from(claimed, "hex"), signatureOf(body))

const isSignedBy = (parameters: Readonly<Record<string, string | undefined>>) => {
  const given = Buffer.from(parameters["hmac"] ?? "", "hex")
  const expected = sign(parameters)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const readTime = Schema.decodeUnknownOption(Schema.DateTimeUtcFromString)

const readCallback: StorePlatform["readCallback"] = (query) => {
  const { code, shop = "", state = "", timestamp } = query
  const shopDomain = readShopDomain(shop)
  const at = Option.getOrNull(readTime(timestamp))
  return isSignedBy(query) && shopDomain !== null && at !== null
    ? { shopDomain, state, at, code: code === undefined ? null : Redacted.make(code) }
    : null
}

const refused = new StoreRefused({
  remedy: "give_up",
  code: "invalid_request",
  reason: "The authorization code was not found or was already used.",
  retryAfterMillis: null
})

const make = () => {
  const codes = new Map<string, { readonly shopDomain: string; readonly scopes: ReadonlyArray<string> }>()
  const shops = new Map<string, Partial<Shop>>()
  const unreachable = new Set<string>()
  const losing = new Set<string>()
  const subscribed: Array<string> = []
  const reported = new Map<string, ReadonlyArray<StoreSignal>>()
  let granted = 0

  const reach = (shopDomain: string) =>
    unreachable.has(shopDomain) ? Effect.fail(new StoreUnreachable()) : Effect.void

  const grant = (scopes: ReadonlyArray<string>): StoreGrant => {
    granted += 1
    return {
      accessToken: Redacted.make(`store-access-${granted}`),
      expiresAt: null,
      refreshToken: Redacted.make(`store-refresh-${granted}`),
      refreshExpiresAt: null,
      scopes
    }
  }

  const shopOf = (shopDomain: ShopDomain): Shop => ({
    shopId: `id-${shopDomain}`,
    shopDomain,
    name: "Corner Bakery",
    currency: "EUR",
    country: "DE",
    ...shops.get(shopDomain)
  })

  const nothing = Effect.succeed({ records: [], unreadable: [], checkpoint: null, total: 0 })

  const platform: StorePlatform = {
    scopes: wantedScopes,
    readerVersion: "1",
    authorizeUrl: (shopDomain, state, redirectUri) =>
      `https://${shopDomain}/admin/oauth/authorize?${new URLSearchParams({
        client_id: "memory",
        scope: wantedScopes.join(","),
        redirect_uri: redirectUri,
        state: Redacted.value(state)
      })}`,
    readCallback,
    exchange: Effect.fnUntraced(function* (shopDomain, code) {
      yield* reach(shopDomain)
      const found = codes.get(Redacted.value(code))
      if (found === undefined || found.shopDomain !== shopDomain) return yield* refused
      codes.delete(Redacted.value(code))
      if (losing.delete(shopDomain)) return yield* new StoreUnreachable()
      return grant(found.scopes)
    }),
    refresh: (shopDomain) => Effect.map(reach(shopDomain), () => grant(wantedScopes)),
    uninstall: ({ shopDomain }) => reach(shopDomain),
    shop: ({ shopDomain }) => Effect.map(reach(shopDomain), () => shopOf(shopDomain)),
    export: () => nothing,
    changedSince: () => nothing,
    read: (_access, _kind, externalIds) => Effect.succeed({ records: [], unreadable: [], gone: externalIds }),
    subscribe: ({ shopDomain }, address) =>
      Effect.map(reach(shopDomain), () => {
        subscribed.push(`${shopDomain} ${address}`)
      }),
    isSigned: ({ body, headers }) => isSigned(body, headers["x-memory-signature"] ?? ""),
    deliveryHeaders: ["x-memory-event", "x-memory-shop", "x-memory-shop-id", "x-memory-topic"],
    decode: (topic, { body, headers }) => {
      const signals = reported.get(Buffer.from(body).toString())
      const shopDomain = readShopDomain(headers["x-memory-shop"] ?? "")
      if (signals === undefined || shopDomain === null) return null
      return {
        shopDomain,
        shopId: headers["x-memory-shop-id"] ?? null,
        topic: headers["x-memory-topic"] ?? topic,
        eventId: headers["x-memory-event"] ?? null,
        signals
      }
    }
  }

  const script = ShopScript.of({
    addCode: (shopDomain, code, scopes = wantedScopes) =>
      Effect.sync(() => {
        codes.set(code, { shopDomain, scopes })
      }),
    forgetCode: (code) =>
      Effect.sync(() => {
        codes.delete(code)
      }),
    loseExchange: (shopDomain) =>
      Effect.sync(() => {
        losing.add(shopDomain)
      }),
    setShop: (shopDomain, shop) =>
      Effect.sync(() => {
        shops.set(shopDomain, shop)
      }),
    setReachable: (shopDomain, isReachable) =>
      Effect.sync(() => {
        if (isReachable) unreachable.delete(shopDomain)
        else unreachable.add(shopDomain)
      }),
    comesBack: ({ at, code, shop, state }) => {
      const parameters = { shop, state, timestamp: DateTime.formatIso(at), ...(code !== undefined && { code }) }
      return { ...parameters, hmac: sign(parameters).toString("hex") }
    },
    delivers: ({ eventId, shop, shopId, signals, topic }) => {
      const text = JSON.stringify({ delivery: reported.size })
      reported.set(text, signals)
      return {
        text,
        headers: {
          "x-memory-signature": signatureOf(text).toString("hex"),
          "x-memory-shop": shop,
          ...(shopId !== undefined && { "x-memory-shop-id": shopId }),
          ...(topic !== undefined && { "x-memory-topic": topic }),
          ...(eventId !== undefined && { "x-memory-event": eventId })
        }
      }
    },
    subscribed: Effect.sync(() => [...subscribed])
  })
  return { platform, script }
}

/** In-memory store provider. Its app signs with a secret that exists only in this layer. */
export const layer = Layer.effectContext(
  Effect.sync(() => {
    const { platform, script } = make()
    return Context.make(StorePlatforms, new Map([[provider, platform]])).pipe(Context.add(ShopScript, script))
  })
)
