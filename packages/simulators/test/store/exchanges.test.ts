import { assert, describe, it } from "@effect/vitest"
import {
  shopifyAnswerFacts,
  shopifyHeaderFacts,
  type ShopifyExchangeFact,
  shopifyLimits,
  shopifyOauthFacts
} from "@parley/testkit/corpora/shopify"
import { Effect, Predicate } from "effect"
import { callbackSignature } from "../../src/store/oauthApi.ts"
import {
  authorizeUrl,
  connect,
  domain,
  eventually,
  query,
  simulator,
  sink,
  small,
  subscribe,
  token
} from "./harness.ts"

const [hour, day] = [3_600_000, 86_400_000]
const limits = shopifyLimits()

const factOf = (facts: ReadonlyArray<ShopifyExchangeFact>, name: string) =>
  facts.find((fact) => fact.name === name) ?? assert.fail(`There is no fact ${name}.`)

const oauth = (name: string) => factOf(shopifyOauthFacts(), name)

const answerOf = (name: string) => factOf(shopifyAnswerFacts(), name).answer?.body ?? assert.fail(name)

const exporting = (content: string) => `mutation { bulkOperationRunQuery(query: "${content}", groupObjects: true) {
  bulkOperation { id } userErrors { field code message }
} }`

const customers = "{ customers { edges { node { id } } } }"
const edges = (content: string) => `{ edges { node { id ${content} } } }`
const many =
  "{ products { edges { node { id a: variants { edges { node { id } } } b: variants { edges { node { id } } } c: variants { edges { node { id } } } d: variants { edges { node { id } } } e: variants { edges { node { id } } } } } } }"
const deep = `{ orders ${edges(`lineItems ${edges(`product { variants ${edges("")} }`)}`)} }`

/** Names of the fields at every depth. */
const shapeOf = (value: unknown): unknown =>
  Predicate.isObject(value) && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value)
          .map(([name, inner]) => [name, shapeOf(inner)] as const)
          .toSorted(([left], [right]) => (left < right ? -1 : 1))
      )
    : Array.isArray(value)
      ? value.map(shapeOf)
      : typeof value

describe("The answers of the simulated provider", () => {
  it("cover every fact", () => {
    assert.deepStrictEqual(
      shopifyAnswerFacts().map(({ name }) => name),
      ["bulk-expired", "bulk-five-connections", "bulk-two-levels", "throttled"]
    )
    assert.deepStrictEqual(
      shopifyOauthFacts().map(({ name }) => name),
      ["authorize", "callback", "refresh", "token"]
    )
  })

  it.live("accept the published authorization, and refuse an online token", () =>
    Effect.gen(function* () {
      const running = yield* simulator()
      const { query: published = {} } = oauth("authorize").request ?? {}
      const page = (options: string) => {
        const parameters = new URLSearchParams({
          ...published,
          client_id: "simulator-client",
          "grant_options[]": options
        })
        return Effect.promise(() => fetch(`${running.url}/${domain}/admin/oauth/authorize?${parameters.toString()}`))
      }
      assert.strictEqual((yield* page("")).status, 200)
      assert.strictEqual((yield* page("per-user")).status, 400)
    })
  )

  it.live("sign a callback as published", () =>
    Effect.gen(function* () {
      const { query: published = {} } = oauth("callback").request ?? {}
      assert.strictEqual(callbackSignature("hush", published), published["hmac"])
      const running = yield* simulator()
      const callback = new URL(running.decide(authorizeUrl(running), true))
      assert.sameMembers([...callback.searchParams.keys()], [...Object.keys(published), "host"])
    })
  )

  it.live("grant tokens in the published form", () =>
    Effect.gen(function* () {
      const running = yield* simulator()
      const code = new URL(running.decide(authorizeUrl(running), true)).searchParams.get("code")
      const granted = yield* token(running, { code, expiring: "1" })
      const refreshed = yield* token(running, {
        grant_type: "refresh_token",
        refresh_token: granted.body["refresh_token"]
      })
      for (const [name, { body, status }] of Object.entries({ token: granted, refresh: refreshed })) {
        const { answer } = oauth(name)
        assert.deepStrictEqual([status, shapeOf(body)], [answer?.status, shapeOf(answer?.body)])
        assert.strictEqual(body["expires_in"], limits.accessTokenMinutes * 60)
        assert.strictEqual(body["refresh_token_expires_in"], (limits.refreshTokenDays * day) / 1_000)
      }
    })
  )

  it.live("throttle a call in the published form", () =>
    Effect.gen(function* () {
      const running = yield* simulator({ shops: [{ ...small, points: 4_000, pointsPerSecond: 200 }] })
      const { access } = yield* connect(running)
      running.misbehave({ on: "graphql", what: { kind: "throttled" } })
      const { body, status } = yield* query(running, access, "{ shop { name } }")
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(shapeOf(body), shapeOf(answerOf("throttled")))
    })
  )

  it.live("refuse exports with too many or too deep connections", () =>
    Effect.gen(function* () {
      const running = yield* simulator()
      const { access } = yield* connect(running)
      const five = yield* query(running, access, exporting(many))
      assert.deepStrictEqual(five.body["data"], answerOf("bulk-five-connections")["data"])
      const levels = yield* query(running, access, exporting(deep))
      assert.deepStrictEqual(levels.body["data"], answerOf("bulk-two-levels")["data"])
    })
  )

  it.live("run five exports of a shop at a time", () =>
    Effect.gen(function* () {
      const running = yield* simulator({ bulkMillis: hour })
      const { access } = yield* connect(running)
      const run = Effect.map(query(running, access, exporting(customers)), ({ body }) => JSON.stringify(body))
      for (let count = 0; count < limits.bulkQueriesPerShop; count += 1) assert.notInclude(yield* run, "LIMIT_REACHED")
      assert.include(yield* run, "LIMIT_REACHED")
      running.advance(hour)
      assert.notInclude(yield* run, "LIMIT_REACHED")
    })
  )

  it.live("keep the file of an export for seven days", () =>
    Effect.gen(function* () {
      const running = yield* simulator({ bulkMillis: 0 })
      const { access } = yield* connect(running)
      const { body } = yield* query(running, access, exporting(customers))
      const id = /gid:\/\/shopify\/BulkOperation\/\d+/u.exec(JSON.stringify(body))?.[0] ?? ""
      running.advance(limits.bulkResultDays * day - 1)
      // The first token has expired by now.
      const again = yield* connect(running)
      const ask = Effect.map(
        query(running, again.access, `{ bulkOperation(id: "${id}") { status errorCode url } }`),
        (answer) => answer.body["data"]
      )
      const url = /"url":"([^"]+)"/u.exec(JSON.stringify(yield* ask))?.[1] ?? ""
      assert.strictEqual((yield* Effect.promise(() => fetch(url))).status, 200)
      running.advance(1)
      assert.deepStrictEqual(yield* ask, answerOf("bulk-expired")["data"])
      assert.strictEqual((yield* Effect.promise(() => fetch(url))).status, 404)
    })
  )
})

describe("The deliveries of the simulated provider", () => {
  const [published, ...others] = shopifyHeaderFacts()

  it.live("have the published headers; the deliveries of one action share its event", () =>
    Effect.gen(function* () {
      const running = yield* simulator()
      const { arrivals, url } = yield* sink()
      const { access } = yield* connect(running)
      yield* query(
        running,
        access,
        `mutation { webhookSubscriptionCreate(topic: ORDERS_CREATE, webhookSubscription: { uri: "${url}", name: "product-sync" }) { userErrors { message } } }`
      )
      yield* subscribe(running, access, url, "ORDERS_PAID")
      running.act({ kind: "buy", shop: domain })
      running.act({ kind: "buy", shop: domain })
      yield* eventually(() => arrivals.length === 4)
      const [created, paid, later] = running.deliveries()
      const named = (headers: Readonly<Record<string, string>> = {}) => Object.keys(headers).toSorted()
      const expected = Object.keys(published?.headers ?? {}).map((name) => name.toLowerCase())
      assert.deepStrictEqual(named(created?.headers), expected.toSorted())
      const optional = new Set(
        [published, ...others].flatMap((fact) => fact?.optional ?? []).map((name) => name.toLowerCase())
      )
      assert.deepStrictEqual(named(paid?.headers), expected.filter((name) => !optional.has(name)).toSorted())
      for (const [name, example] of Object.entries(published?.headers ?? {})) {
        const form = example.replaceAll(/[\d a-zA-Z]+/gu, "x")
        if (/Webhook-Id|Event-Id|Triggered-At|Name$/u.test(name)) {
          assert.strictEqual(created?.headers[name.toLowerCase()]?.replaceAll(/[\d a-zA-Z]+/gu, "x"), form, name)
        }
      }
      const event = "x-shopify-event-id"
      assert.strictEqual(created?.headers[event], paid?.headers[event])
      assert.notStrictEqual(created?.headers[event], later?.headers[event])
      assert.notStrictEqual(created?.id, paid?.id)
    })
  )

  it.live("request the erasure of a shop 48 hours after an uninstall, unless it is installed again", () =>
    Effect.gen(function* () {
      const compliance = yield* sink()
      const app = {
        clientId: "simulator-client",
        clientSecret: "simulator-client-secret",
        complianceUrl: compliance.url
      }
      const running = yield* simulator({ app })
      yield* connect(running)
      running.act({ kind: "uninstall", shop: domain })
      running.advance(hour)
      yield* connect(running)
      running.advance(limits.shopRedactHours * hour)
      yield* eventually(running.isUpToDate)
      assert.lengthOf(compliance.arrivals, 0)
      running.act({ kind: "uninstall", shop: domain })
      running.advance(limits.shopRedactHours * hour - 1)
      yield* eventually(running.isUpToDate)
      assert.lengthOf(compliance.arrivals, 0)
      running.advance(1)
      yield* eventually(() => compliance.arrivals.length === 1)
      assert.include(compliance.arrivals[0]?.body, domain)
    })
  )

  it.live("report the end of an export", () =>
    Effect.gen(function* () {
      const running = yield* simulator({ bulkMillis: hour })
      const { arrivals, url } = yield* sink()
      const { access } = yield* connect(running)
      yield* subscribe(running, access, url, "BULK_OPERATIONS_FINISH")
      yield* query(running, access, exporting(customers))
      running.advance(hour)
      yield* eventually(() => arrivals.length === 1)
      assert.include(arrivals[0]?.body, '"status":"completed"')
    })
  )
})
