import { assert, describe, it } from "@effect/vitest"
import { type StorePlatform, StoreRefused } from "@parley/domain/commerce"
import { make } from "@parley/provider-adapters/stores/shopify"
import {
  shopifyAnswerFacts,
  type ShopifyExchangeFact,
  shopifyHeaderFacts,
  shopifyLimits,
  shopifyOauthFacts
} from "@parley/testkit/corpora/shopify"
import { Clock, DateTime, Effect, Fiber, Redacted, Schema } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { apiVersions, mostCost, mostPaged, usualBucket } from "../../src/stores/shopify/assumptions.ts"

const shop = "some-shop.myshopify.com"
const limits = shopifyLimits()

const factOf = (facts: ReadonlyArray<ShopifyExchangeFact>, name: string) =>
  facts.find((fact) => fact.name === name) ?? assert.fail(`There is no fact ${name}.`)

const oauth = (name: string) => factOf(shopifyOauthFacts(), name)

const answerOf = (name: string) => factOf(shopifyAnswerFacts(), name).answer ?? assert.fail(name)

const shopAnswer = {
  status: 200,
  body: {
    data: { shop: { id: "gid://shopify/Shop/1", name: "Some", myshopifyDomain: shop, currencyCode: "EUR" } },
    extensions: {
      cost: {
        requestedQueryCost: 2,
        throttleStatus: { maximumAvailable: 4_000, currentlyAvailable: 3_998, restoreRate: 200 }
      }
    }
  }
}

interface Call {
  readonly at: number
  readonly path: string
  readonly body: unknown
}

const decodeBody = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Unknown))
const decoder = new TextDecoder()

/** The adapter with a provider that gives these answers in their order. */
const given = Effect.fnUntraced(function* (
  ...answers: ReadonlyArray<{ readonly status: number; readonly body: unknown }>
) {
  const calls: Array<Call> = []
  const client = HttpClient.make((request, url) =>
    Effect.map(Clock.currentTimeMillis, (at) => {
      const sent = request.body._tag === "Uint8Array" ? decodeBody(decoder.decode(request.body.body)) : null
      const { body, status } = answers[calls.length] ?? assert.fail(`An answer to ${url.href} is missing.`)
      calls.push({ at, path: url.pathname, body: sent })
      return HttpClientResponse.fromWeb(request, new Response(JSON.stringify(body), { status }))
    })
  )
  const platform: StorePlatform = yield* make({
    app: { clientId: "an-app", clientSecret: Redacted.make("a-secret") },
    baseUrl: "http://127.0.0.1:9"
  }).pipe(Effect.provideService(HttpClient.HttpClient, client))
  return { calls, platform }
})

const access = { shopDomain: shop, accessToken: Redacted.make("an-access-token") }

describe("The published exchanges of Shopify", () => {
  it("are all covered", () => {
    assert.deepStrictEqual(
      [...shopifyOauthFacts(), ...shopifyAnswerFacts()].map(({ name }) => name),
      [
        "authorize",
        "callback",
        "refresh",
        "token",
        "bulk-expired",
        "bulk-five-connections",
        "bulk-two-levels",
        "throttled"
      ]
    )
    assert.deepStrictEqual(apiVersions.at(-1), "2026-10")
  })

  it.effect("start with the published parameters", () =>
    Effect.gen(function* () {
      const { platform } = yield* given()
      const { path, query = {} } = oauth("authorize").request ?? assert.fail()
      const address = new URL(
        platform.authorizeUrl(shop, Redacted.make(query["state"] ?? ""), query["redirect_uri"] ?? "")
      )
      assert.strictEqual(address.pathname, `/${shop}${path}`)
      assert.deepStrictEqual(Object.fromEntries(address.searchParams), { ...query })
    })
  )

  it.effect("return with the published signature", () =>
    Effect.gen(function* () {
      const { readCallback } = yield* make({ app: { clientId: "an-app", clientSecret: Redacted.make("hush") } })
      const { query = {} } = oauth("callback").request ?? assert.fail()
      const callback = readCallback(query)
      assert.strictEqual(callback?.shopDomain, query["shop"])
      assert.strictEqual(callback?.state, query["state"])
      assert.deepStrictEqual(callback?.at, DateTime.makeUnsafe(Number(query["timestamp"]) * 1_000))
      assert.strictEqual(
        callback?.code === null ? null : Redacted.value(callback?.code ?? assert.fail()),
        query["code"]
      )
      assert.isNull(readCallback({ ...query, shop: "other-shop.myshopify.com" }))
    }).pipe(
      Effect.scoped,
      Effect.provideService(
        HttpClient.HttpClient,
        HttpClient.make(() => Effect.never)
      )
    )
  )

  it.effect.each(["token", "refresh"] as const)("grant tokens: %s", (name) =>
    Effect.gen(function* () {
      const { answer = assert.fail(), request = assert.fail() } = oauth(name)
      const { calls, platform } = yield* given(answer)
      const granted = yield* name === "token"
        ? platform.exchange(shop, Redacted.make("a-code"))
        : platform.refresh(shop, Redacted.make("a-refresh-token"))
      assert.deepStrictEqual(calls, [{ at: 0, path: `/${shop}${request.path}`, body: { ...request.body } }])
      const { body } = answer
      assert.strictEqual(Redacted.value(granted.accessToken), body["access_token"])
      assert.strictEqual(granted.refreshToken && Redacted.value(granted.refreshToken), body["refresh_token"])
      assert.deepStrictEqual(granted.scopes, String(body["scope"]).split(","))
      const now = yield* DateTime.now
      assert.deepStrictEqual(granted.expiresAt, DateTime.add(now, { minutes: limits.accessTokenMinutes }))
      assert.deepStrictEqual(granted.refreshExpiresAt, DateTime.add(now, { days: limits.refreshTokenDays }))
    })
  )

  it.effect("repeat a throttled call after the bucket holds twice its cost", () =>
    Effect.gen(function* () {
      // The adapter learns the cost of 862, the rest of 572 and 200 points per second from the answer.
      const { calls, platform } = yield* given(answerOf("throttled"), shopAnswer)
      const told = yield* Effect.forkChild(platform.shop(access))
      yield* TestClock.adjust(5_759)
      assert.lengthOf(calls, 1)
      yield* TestClock.adjust(1)
      yield* Fiber.join(told)
      assert.deepStrictEqual(
        calls.map(({ at }) => at),
        [0, (862 * 2 - 572) * 5]
      )
    })
  )

  it.effect("keep a page size that costs less than the limit", () =>
    Effect.gen(function* () {
      const costly = { status: 200, body: { errors: [{ message: "", extensions: { code: "MAX_COST_EXCEEDED" } }] } }
      const page = {
        status: 200,
        body: { data: { shop: { currencyCode: "EUR" }, customers: { nodes: [], pageInfo: { hasNextPage: false } } } }
      }
      const { calls, platform } = yield* given(costly, costly, page, page)
      const since = yield* DateTime.now
      for (let pass = 0; pass < 2; pass += 1) yield* platform.changedSince(access, "customers", since, null)
      const sizes = calls.map(({ body }) => /"first":(\d+)/u.exec(JSON.stringify(body))?.[1])
      assert.deepStrictEqual(sizes, ["100", "50", "25", "25"])
    })
  )

  it.effect("begin with the restore rate of the cheapest plan, and call within the limits", () =>
    Effect.sync(() => {
      assert.strictEqual(usualBucket.perSecond, Math.min(...limits.costPerSecondByPlan))
      assert.strictEqual(mostCost, limits.costOfOneCall)
      assert.isBelow(mostPaged, limits.pagedObjects)
    })
  )

  it.effect.each(["bulk-five-connections", "bulk-two-levels"])("refuse an export: %s", (name) =>
    Effect.gen(function* () {
      const readable = { status: 200, body: { data: { products: { nodes: [] } } } }
      const { platform } = yield* given(readable, answerOf(name))
      const error = yield* Effect.flip(platform.export(access, "products", null, null))
      assert.instanceOf(error, StoreRefused)
      assert.include(error, { remedy: "give_up", code: "INVALID" })
      assert.include(JSON.stringify(answerOf(name).body), error.reason)
    })
  )

  it.effect("start an expired export again", () =>
    Effect.gen(function* () {
      const readable = { status: 200, body: { data: { products: { nodes: [] } } } }
      const begun = {
        status: 200,
        body: {
          data: { bulkOperationRunQuery: { bulkOperation: { id: "gid://shopify/BulkOperation/8" }, userErrors: [] } }
        }
      }
      const { platform } = yield* given(answerOf("bulk-expired"), readable, begun)
      const { checkpoint, records } = yield* platform.export(access, "products", "7/0/1", null)
      assert.deepStrictEqual([checkpoint, records], ["8/0/2", []])
    })
  )
})

describe("The published headers of Shopify", () => {
  it.effect("name the topic, the shop and the event, with and without optional headers", () =>
    Effect.gen(function* () {
      const { platform } = yield* given()
      const facts = shopifyHeaderFacts()
      const all = Object.fromEntries(
        facts.flatMap(({ headers }) => Object.entries(headers)).map(([name, value]) => [name.toLowerCase(), value])
      )
      const optional = new Set(facts.flatMap((fact) => fact.optional.map((name) => name.toLowerCase())))
      const required = Object.fromEntries(Object.entries(all).filter(([name]) => !optional.has(name)))
      assert.includeMembers(Object.keys(required), [...platform.deliveryHeaders])
      for (const headers of [all, required]) {
        const delivery = platform.decode("", { headers, body: Buffer.from('{"id":1}') })
        assert.deepInclude(delivery, {
          topic: all["x-shopify-topic"] ?? "",
          shopDomain: all["x-shopify-shop-domain"] ?? "",
          eventId: all["x-shopify-event-id"] ?? ""
        })
      }
      const uninstalled = platform.decode("app/uninstalled", {
        headers: { ...required, "x-shopify-topic": "app/uninstalled" },
        body: Buffer.from('{"id":1}')
      })
      const at = DateTime.makeUnsafe("2025-07-10T16:15:47Z")
      assert.deepStrictEqual(uninstalled?.signals, [{ kind: "uninstalled", at }])
    })
  )
})
