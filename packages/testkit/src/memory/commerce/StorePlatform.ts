import {
  type RequestParameters,
  type RecordKind,
  type Shop,
  type ShopAccess,
  type ShopDomain,
  type StoreDeliveryRequest,
  type StoreFailure,
  type StoreGrant,
  type StorePlatform,
  StorePlatforms,
  type StoreRecords,
  StoreRefused,
  type StoreSignal
} from "@parley/domain/commerce"
import { Context, DateTime, Effect, Layer, Redacted } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"

/** Provider that this platform simulates. */
const provider = "shopify"

const key = "memory"

const signatureOf = (text: string | Uint8Array) => createHmac("sha256", key).update(text).digest("hex")

const isSignature = (text: string | Uint8Array, claimed: string) =>
  claimed.length === 64 && timingSafeEqual(Buffer.from(signatureOf(text)), Buffer.from(claimed))

const scopes: ReadonlyArray<string> = ["read_customers", "read_orders", "read_products"]

/** The provider's side of stores in memory, with the interface for tests. */
export class StoreScript extends Context.Service<
  StoreScript,
  {
    readonly addShop: (shop: Shop) => Effect.Effect<void>
    /** The shop has another address from then on; the one before still leads to it. */
    readonly rename: (shopDomain: ShopDomain, to: ShopDomain) => Effect.Effect<void>
    readonly put: <Kind extends RecordKind>(
      shopDomain: ShopDomain,
      kind: Kind,
      ...records: ReadonlyArray<StoreRecords[Kind]>
    ) => Effect.Effect<void>
    readonly remove: (shopDomain: ShopDomain, kind: RecordKind, externalId: string) => Effect.Effect<void>
    /** Makes a record unreadable, or readable again. */
    readonly setReadable: (
      shopDomain: ShopDomain,
      kind: RecordKind,
      externalId: string,
      isReadable: boolean
    ) => Effect.Effect<void>
    /** Changes the version of the reader code. */
    readonly upgrade: (readerVersion: string) => Effect.Effect<void>
    /** Accepts the authorization, optionally only some permissions; returns the redirect parameters. */
    readonly agree: (authorizeUrl: string, agreed?: ReadonlyArray<string>) => Effect.Effect<RequestParameters>
    /** Denies the authorization; returns the redirect parameters. */
    readonly deny: (authorizeUrl: string) => Effect.Effect<RequestParameters>
    /** The access to the shop ends. */
    readonly revoke: (shopDomain: ShopDomain) => Effect.Effect<void>
    /** The next call fails this way. `name` is the method; every method if absent. */
    readonly next: (failure: StoreFailure, name?: keyof StorePlatform) => Effect.Effect<void>
    /** A change as a delivery, with its signature. */
    readonly deliver: (
      shopDomain: ShopDomain,
      topic: string,
      signals: ReadonlyArray<StoreSignal>,
      eventId?: string
    ) => StoreDeliveryRequest
    /** The addresses that the shop delivers to. */
    readonly subscribed: (shopDomain: ShopDomain) => Effect.Effect<ReadonlyArray<string>>
    /** Number of calls of each method. */
    readonly calls: (name: keyof StorePlatform) => Effect.Effect<number>
  }
>()("@parley/testkit/memory/commerce/StoreScript") {}

interface Kept {
  shop: Shop
  readonly domains: Set<string>
  readonly records: { readonly [Kind in RecordKind]: Map<string, StoreRecords[Kind]> }
  readonly addresses: Set<string>
  /** Unreadable records, by kind and id. */
  readonly unreadable: Set<string>
  grant: { readonly access: string; readonly refresh: string; readonly scopes: ReadonlyArray<string> } | null
  /** Valid until its successor is used. */
  formerRefresh: string | null
}

const refusal = (remedy: StoreRefused["remedy"], code: string) =>
  new StoreRefused({ remedy, code, reason: "This was asked for.", retryAfterMillis: null })

const callback = (query: Readonly<Record<string, string>>): RequestParameters => ({
  ...query,
  hmac: signatureOf(new URLSearchParams(query).toString())
})

const pageSize = 2

const makePlatform = () => {
  const shops: Array<Kept> = []
  const codes = new Map<string, { readonly kept: Kept; readonly scopes: ReadonlyArray<string> }>()
  const deliveries = new Map<string, ReadonlyArray<StoreSignal>>()
  const failures: Array<{ readonly failure: StoreFailure; readonly name: string | null }> = []
  const called = new Map<string, number>()
  let count = 0
  let readerVersion = "1"
  const next = (what: string) => `${what}-${(count += 1)}`

  const findShop = (domain: string) => shops.find(({ domains }) => domains.has(domain))
  const shopAt = (domain: string) => Effect.orDie(Effect.fromNullishOr(findShop(domain)))

  const calling = <A>(
    name: keyof StorePlatform,
    effect: Effect.Effect<A, StoreFailure>
  ): Effect.Effect<A, StoreFailure> =>
    Effect.suspend(() => {
      called.set(name, (called.get(name) ?? 0) + 1)
      const place = failures.findIndex((scripted) => scripted.name === null || scripted.name === name)
      const [scripted] = place === -1 ? [] : failures.splice(place, 1)
      return scripted === undefined ? effect : Effect.fail(scripted.failure)
    })

  const granted = (access: ShopAccess): Effect.Effect<Kept, StoreFailure> =>
    Effect.suspend(() => {
      const kept = findShop(access.shopDomain)
      return kept?.grant != null && kept.grant.access === Redacted.value(access.accessToken)
        ? Effect.succeed(kept)
        : Effect.fail(refusal("reauthorize", "401"))
    })

  const newGrant = Effect.fnUntraced(function* (kept: Kept, agreed: ReadonlyArray<string>) {
    const now = yield* DateTime.now
    const grant = { access: next("access"), refresh: next("refresh"), scopes: agreed }
    kept.grant = grant
    return {
      accessToken: Redacted.make(grant.access),
      expiresAt: DateTime.add(now, { hours: 1 }),
      refreshToken: Redacted.make(grant.refresh),
      refreshExpiresAt: DateTime.add(now, { days: 90 }),
      scopes: agreed
    } satisfies StoreGrant
  })

  const exchange = (shopDomain: ShopDomain, code: string) =>
    Effect.suspend(() => {
      const agreed = codes.get(code)
      codes.delete(code)
      if (agreed === undefined || !agreed.kept.domains.has(shopDomain)) {
        return Effect.fail(refusal("give_up", "invalid_request"))
      }
      agreed.kept.formerRefresh = null
      return newGrant(agreed.kept, agreed.scopes)
    })

  const refresh = (shopDomain: ShopDomain, token: string) =>
    Effect.suspend(() => {
      const kept = findShop(shopDomain)
      const isNow = kept?.grant?.refresh === token
      if (kept?.grant == null || (!isNow && kept.formerRefresh !== token)) {
        return Effect.fail(refusal("reauthorize", "invalid_grant"))
      }
      if (isNow) kept.formerRefresh = token
      return newGrant(kept, kept.grant.scopes)
    })

  const keyOf = (kind: RecordKind, externalId: string) => `${kind} ${externalId}`

  const sorted = <Kind extends RecordKind>(
    { unreadable }: Kept,
    kind: Kind,
    records: ReadonlyArray<StoreRecords[Kind]>
  ) => {
    const isReadable = ({ externalId }: StoreRecords[RecordKind]) => !unreadable.has(keyOf(kind, externalId))
    return {
      records: records.filter(isReadable),
      unreadable: records
        .filter((record) => !isReadable(record))
        .map(({ externalId }) => ({ externalId, reason: "No readable value: updatedAt" }))
    }
  }

  const pages = <Kind extends RecordKind>(
    kept: Kept,
    kind: Kind,
    records: ReadonlyArray<StoreRecords[Kind]>,
    checkpoint: string | null
  ) => {
    const from = Number(checkpoint ?? "0")
    const end = from + pageSize
    return {
      ...sorted(kept, kind, records.slice(from, end)),
      checkpoint: end < records.length ? String(end) : null,
      total: records.length
    }
  }

  const recordsOf = <Kind extends RecordKind>({ records }: Kept, kind: Kind): Map<string, StoreRecords[Kind]> =>
    records[kind]

  const isSince = (record: StoreRecords[RecordKind], since: DateTime.Utc | null) =>
    since === null || !("placedAt" in record) || DateTime.isGreaterThanOrEqualTo(record.placedAt, since)

  const agreedTo = Effect.fnUntraced(function* (authorizeUrl: string, answer: Readonly<Record<string, string>>) {
    const { searchParams } = new URL(authorizeUrl)
    const kept = yield* shopAt(searchParams.get("shop") ?? "")
    const now = yield* DateTime.now
    return callback({
      ...answer,
      shop: kept.shop.shopDomain,
      state: searchParams.get("state") ?? "",
      timestamp: String(Math.floor(DateTime.toEpochMillis(now) / 1_000))
    })
  })

  const platform: StorePlatform = {
    scopes,
    get readerVersion() {
      return readerVersion
    },
    authorizeUrl: (shopDomain, state, redirectUri) =>
      `https://provider.test/authorize?${new URLSearchParams({
        shop: shopDomain,
        state: Redacted.value(state),
        redirect_uri: redirectUri
      }).toString()}`,
    readCallback: ({ hmac = "", ...query }) => {
      const { code, shop = "", state = "", timestamp = "" } = query
      const signed = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
      const kept = findShop(shop)
      if (!isSignature(new URLSearchParams(signed).toString(), hmac) || kept === undefined) return null
      return {
        shopDomain: kept.shop.shopDomain,
        state,
        at: DateTime.makeUnsafe(Number(timestamp) * 1_000),
        code: code === undefined ? null : Redacted.make(code)
      }
    },
    exchange: (shopDomain, code) => calling("exchange", exchange(shopDomain, Redacted.value(code))),
    refresh: (shopDomain, token) => calling("refresh", refresh(shopDomain, Redacted.value(token))),
    uninstall: (access) =>
      calling(
        "uninstall",
        Effect.map(granted(access), (kept) => {
          kept.grant = null
          kept.addresses.clear()
        })
      ),
    shop: (access) =>
      calling(
        "shop",
        Effect.map(granted(access), ({ shop }) => shop)
      ),
    export: (access, kind, checkpoint, since) =>
      calling(
        "export",
        Effect.map(granted(access), (kept) =>
          pages(
            kept,
            kind,
            [...recordsOf(kept, kind).values()].filter((record) => isSince(record, since)),
            checkpoint
          )
        )
      ),
    changedSince: (access, kind, since, checkpoint) =>
      calling(
        "changedSince",
        Effect.map(granted(access), (kept) =>
          pages(
            kept,
            kind,
            [...recordsOf(kept, kind).values()]
              .filter(({ updatedAt }) => DateTime.isGreaterThanOrEqualTo(updatedAt, since))
              .toSorted(
                (left, right) => DateTime.toEpochMillis(left.updatedAt) - DateTime.toEpochMillis(right.updatedAt)
              ),
            checkpoint
          )
        )
      ),
    read: (access, kind, externalIds) =>
      calling(
        "read",
        Effect.map(granted(access), (kept) => {
          const records = recordsOf(kept, kind)
          return {
            ...sorted(
              kept,
              kind,
              externalIds.flatMap((id) => records.get(id) ?? [])
            ),
            gone: externalIds.filter((id) => !records.has(id))
          }
        })
      ),
    subscribe: (access, address) =>
      calling(
        "subscribe",
        Effect.map(granted(access), ({ addresses }) => {
          addresses.add(address)
        })
      ),
    isSigned: ({ body, headers }) => isSignature(body, headers["x-memory-signature"] ?? ""),
    deliveryHeaders: ["x-memory-event", "x-memory-shop", "x-memory-topic"],
    decode: (topic, { body, headers }) => {
      const signals = deliveries.get(Buffer.from(body).toString())
      const kept = findShop(headers["x-memory-shop"] ?? "")
      if (signals === undefined || kept === undefined) return null
      return {
        shopDomain: kept.shop.shopDomain,
        shopId: kept.shop.shopId,
        topic: headers["x-memory-topic"] ?? topic,
        eventId: headers["x-memory-event"] ?? null,
        signals
      }
    }
  }

  const script: StoreScript["Service"] = {
    addShop: (shop) =>
      Effect.sync(() => {
        shops.push({
          shop,
          domains: new Set([shop.shopDomain]),
          records: { products: new Map(), customers: new Map(), orders: new Map(), carts: new Map() },
          addresses: new Set(),
          unreadable: new Set(),
          grant: null,
          formerRefresh: null
        })
      }),
    rename: (shopDomain, to) =>
      Effect.map(shopAt(shopDomain), (kept) => {
        kept.shop = { ...kept.shop, shopDomain: to }
        kept.domains.add(to)
      }),
    put: (shopDomain, kind, ...records) =>
      Effect.map(shopAt(shopDomain), (kept) => {
        for (const record of records) recordsOf(kept, kind).set(record.externalId, record)
      }),
    remove: (shopDomain, kind, externalId) =>
      Effect.map(shopAt(shopDomain), ({ records }) => {
        records[kind].delete(externalId)
      }),
    setReadable: (shopDomain, kind, externalId, isReadable) =>
      Effect.map(shopAt(shopDomain), ({ unreadable }) => {
        if (isReadable) unreadable.delete(keyOf(kind, externalId))
        else unreadable.add(keyOf(kind, externalId))
      }),
    upgrade: (version) =>
      Effect.sync(() => {
        readerVersion = version
      }),
    agree: (authorizeUrl, agreed = scopes) =>
      Effect.gen(function* () {
        const kept = yield* shopAt(new URL(authorizeUrl).searchParams.get("shop") ?? "")
        const code = next("code")
        codes.set(code, { kept, scopes: agreed })
        return yield* agreedTo(authorizeUrl, { code })
      }),
    deny: (authorizeUrl) => agreedTo(authorizeUrl, {}),
    revoke: (shopDomain) =>
      Effect.map(shopAt(shopDomain), (kept) => {
        kept.grant = null
      }),
    next: (failure, name) =>
      Effect.sync(() => {
        failures.push({ failure, name: name ?? null })
      }),
    deliver: (shopDomain, topic, signals, eventId) => {
      const body = JSON.stringify({ delivery: next("delivery") })
      deliveries.set(body, signals)
      return {
        body: Buffer.from(body),
        headers: {
          "x-memory-signature": signatureOf(body),
          "x-memory-shop": shopDomain,
          "x-memory-topic": topic,
          "x-memory-event": eventId ?? next("event")
        }
      }
    },
    subscribed: (shopDomain) => Effect.map(shopAt(shopDomain), ({ addresses }) => [...addresses]),
    calls: (name) => Effect.sync(() => called.get(name) ?? 0)
  }

  return { platform, script }
}

/** Stores on a platform in memory, and its script. */
export const layer: Layer.Layer<StorePlatforms | StoreScript> = Layer.effectContext(
  Effect.sync(() => {
    const { platform, script } = makePlatform()
    return Context.make(StorePlatforms, new Map([[provider, platform]])).pipe(Context.add(StoreScript, script))
  })
)
