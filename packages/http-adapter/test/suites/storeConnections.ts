import { assert } from "@effect/vitest"
import { nextId, type Ports, StoreConnectionId } from "@parley/domain"
import { givenStore } from "@parley/testkit"
import { DateTime, Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { assertProblem, assertStatus, at, pointersOf, textAt } from "../harness/answers.ts"
import { as } from "../harness/crm.ts"
import { call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import { comingBack, stateIn, storeScript } from "../harness/stores.ts"
import { givenTenant } from "../harness/tenants.ts"

const freshShop = Effect.map(nextId(StoreConnectionId), (id) => `shop-${id}.myshopify.com`)

const back = (query: string) => call("GET", `/api/v1/integrations/storefront/callback${query}`)

const asJson = { accept: "application/json" }

/** Connecting stores: being sent to the shop, and coming back. */
export const storeConnectionsSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("a store is pending until somebody has agreed in the shop", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const shop = yield* freshShop
        const said = { provider: "shopify", shopDomain: shop.toUpperCase(), makeContacts: "reachable" }
        const begun = yield* send("POST", "/store_connections", said)
        assertStatus(begun, 201)
        assert.deepInclude(begun.body, { status: "pending", shopDomain: shop, name: shop, makeContacts: "reachable" })
        const path = `/store_connections/${textAt(begun, "id")}`
        const exists = yield* send("POST", "/store_connections", said)
        assertProblem(exists, 409, "store_exists")
        assert.strictEqual(at(exists.body, "storeConnectionId"), at(begun.body, "id"))
        const script = yield* storeScript
        yield* script.addCode(shop, "good")
        const state = stateIn(textAt(begun, "authorizeUrl"))
        const query = `?${new URLSearchParams(script.comesBack({ shop, state, code: "good", at: yield* DateTime.now }))}`
        const connected = yield* back(query)
        assert.deepStrictEqual(connected.body, {
          storeConnectionId: at(begun.body, "id"),
          result: "connected",
          organization: { id: tenant.organization.id, name: tenant.organization.name }
        })
        const read = yield* send("GET", path)
        assert.deepInclude(read.body, { status: "connected", name: "Corner Bakery", currency: "EUR", version: 2 })
        assert.strictEqual(at(read.body, "freshness", "state"), "catching_up")
        assertProblem(yield* back(query), 400, "callback_state_invalid")
        const subscribed = yield* script.subscribed
        assert.include(subscribed, `${shop} https://parley.test/webhooks/storefront/shopify`)
      })
    )

    it.effect("whoever is sent to a shop is redirected, or told where it is", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const shop = yield* freshShop
        const path = `/integrations/storefront/authorize?shop=${shop}`
        const told = yield* send("GET", path, undefined, asJson)
        assertStatus(told, 200)
        const sent = yield* send("GET", path)
        assertStatus(sent, 302)
        assert.isTrue(sent.headers.get("location")?.startsWith(`https://${shop}/admin/oauth/authorize?`))
        assert.notStrictEqual(stateIn(sent.headers.get("location") ?? ""), stateIn(textAt(told, "authorizeUrl")))
        const wrong = yield* send("GET", "/integrations/storefront/authorize?shop=evil.example", undefined, asJson)
        assertProblem(wrong, 400, "validation_failed")
        const app = "https://app.parley.test/stores?a=b"
        assertStatus(yield* send("GET", `${path}&returnTo=${encodeURIComponent(app)}`, undefined, asJson), 200)
        for (const elsewhere of [
          "https://evil.example",
          "https://app.parley.test.evil.example/",
          "//evil.example",
          "javascript:x"
        ]) {
          const refused = yield* send("GET", `${path}&returnTo=${encodeURIComponent(elsewhere)}`, undefined, asJson)
          assertProblem(refused, 400, "validation_failed")
          assert.deepStrictEqual(pointersOf(refused), ["/query/returnTo"])
        }
        const absent = yield* send("POST", "/store_connections", { provider: "other", shopDomain: shop })
        assertProblem(absent, 409, "storefront_app_absent")
      })
    )

    it.effect("whoever comes back goes on to where they came from, with what came of it", () =>
      Effect.gen(function* () {
        const { organization } = yield* givenTenant()
        const shop = yield* freshShop
        const returnTo = "https://app.parley.test/stores?a=b#list"
        const answer = yield* back(yield* comingBack(organization, shop, returnTo))
        assertStatus(answer, 303)
        assert.match(
          answer.headers.get("location") ?? "",
          /^https:\/\/app\.parley\.test\/stores\?a=b&storeConnectionId=[0-9a-f-]{36}&result=connected#list$/u
        )
        const script = yield* storeScript
        yield* script.setReachable(shop, false)
        const failed = yield* back(yield* comingBack(organization, shop, returnTo))
        assert.match(failed.headers.get("location") ?? "", /&result=store_unreachable#list$/u)
      })
    )

    it.effect("what comes back is refused in the order in which it is checked", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const other = yield* givenTenant()
        const shop = yield* freshShop
        const script = yield* storeScript
        const now = yield* DateTime.now
        const begin = Effect.map(
          as(tenant)("GET", `/integrations/storefront/authorize?shop=${shop}`, undefined, asJson),
          (begun) => stateIn(textAt(begun, "authorizeUrl"))
        )
        const comes = (what: Partial<Parameters<typeof script.comesBack>[0]>) =>
          script.comesBack({ shop, state: "x", at: now, ...what })
        const refused = (what: Readonly<Record<string, string>>, status: number, code: string) =>
          Effect.map(back(`?${new URLSearchParams(what)}`), (answer) => assertProblem(answer, status, code))
        const unsigned = { ...comes({ state: yield* begin }), state: "y" }
        yield* refused(unsigned, 401, "callback_signature_invalid")
        yield* refused({}, 401, "callback_signature_invalid")
        for (const seconds of [-91, 91]) {
          const late = comes({ state: yield* begin, at: DateTime.add(now, { seconds }) })
          yield* refused(late, 401, "callback_signature_invalid")
        }
        yield* refused(comes({}), 400, "callback_state_invalid")
        const spent = yield* begin
        yield* refused(comes({ state: spent, shop: "another.myshopify.com" }), 400, "callback_state_invalid")
        yield* refused(comes({ state: spent }), 400, "callback_state_invalid")
        yield* refused(comes({ state: yield* begin }), 403, "authorization_denied")
        yield* refused(comes({ state: yield* begin, code: "unknown" }), 422, "store_refused")
        yield* script.addCode(shop, "few", ["read_products", "write_orders"])
        const few = yield* back(`?${new URLSearchParams(comes({ state: yield* begin, code: "few" }))}`)
        assertProblem(few, 409, "store_scopes_missing")
        assert.deepStrictEqual(at(few.body, "missing"), ["read_customers"])
        yield* script.setReachable(shop, false)
        yield* refused(comes({ state: yield* begin, code: "good" }), 503, "store_unreachable")
        yield* script.setReachable(shop, true)
        const state = yield* begin
        yield* givenStore(other.organization, { shopDomain: shop })
        yield* script.addCode(shop, "good")
        yield* refused(comes({ state, code: "good" }), 409, "store_taken")
      })
    )

    it.effect("a store that is agreed to anew with less than is needed is not read any more", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const shop = yield* freshShop
        assertStatus(yield* back(yield* comingBack(tenant.organization, shop)), 200)
        const begun = yield* send("GET", `/integrations/storefront/authorize?shop=${shop}`, undefined, asJson)
        const script = yield* storeScript
        yield* script.addCode(shop, "few", ["read_products"])
        const state = stateIn(textAt(begun, "authorizeUrl"))
        const query = script.comesBack({ shop, state, code: "few", at: yield* DateTime.now })
        assertProblem(yield* back(`?${new URLSearchParams(query)}`), 409, "store_scopes_missing")
        const after = yield* send("GET", `/store_connections/${textAt(begun, "storeConnectionId")}`)
        assert.deepInclude(after.body, { status: "error", scopes: ["read_products"] })
        assert.strictEqual(at(after.body, "lastError", "code"), "scopes_missing")
      })
    )

    it.effect("the way to a shop is open for ten minutes", () =>
      Effect.gen(function* () {
        const { organization } = yield* givenTenant()
        const shop = yield* freshShop
        yield* comingBack(organization, shop)
        const script = yield* storeScript
        const { organization: _, ...tenant } = yield* givenTenant()
        const begun = yield* as({ ...tenant, organization: _ })(
          "GET",
          `/integrations/storefront/authorize?shop=${shop}`,
          undefined,
          asJson
        )
        yield* TestClock.adjust("10 minutes")
        const state = stateIn(textAt(begun, "authorizeUrl"))
        const late = script.comesBack({ shop, state, code: "x", at: yield* DateTime.now })
        assertProblem(yield* back(`?${new URLSearchParams(late)}`), 400, "callback_state_invalid")
      })
    )

    it.effect("a plan has room for so many stores", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant("free")
        const send = as(tenant)
        const first = { provider: "shopify", shopDomain: yield* freshShop }
        assertStatus(yield* send("POST", "/store_connections", first), 201)
        const second = yield* send("POST", "/store_connections", { provider: "shopify", shopDomain: yield* freshShop })
        assertProblem(second, 403, "plan_limit_reached")
        assert.deepInclude(second.body, { limit: "storeConnections", current: 1, max: 1 })
      })
    )

    it.effect("a shop that was renamed is the store that it was", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const { id, shopId } = yield* givenStore(tenant.organization, { status: "uninstalled" })
        const shop = yield* freshShop
        const script = yield* storeScript
        yield* script.setShop(shop, { shopId: shopId ?? "" })
        const answer = yield* back(yield* comingBack(tenant.organization, shop))
        assert.strictEqual(at(answer.body, "storeConnectionId"), id)
        assert.deepInclude((yield* send("GET", `/store_connections/${id}`)).body, {
          shopDomain: shop,
          status: "connected"
        })
        assert.lengthOf(Array.from(Object.keys(at((yield* send("GET", "/store_connections")).body, "data") ?? {})), 1)
      })
    )
  })
