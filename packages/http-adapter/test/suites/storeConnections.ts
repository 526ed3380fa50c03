import { assert } from "@effect/vitest"
import { nextId, transact } from "@parley/domain/kernel"
import { runDueJobs } from "@parley/domain/platform"
import { StoreConnectionId, StoreConnections } from "@parley/domain/commerce"
import { layerJobKinds, type Ports } from "@parley/domain/composition"
import { codeChallenge, codeVerifier, givenStore } from "@parley/testkit"
import { DateTime, Effect, type Layer, type Redacted } from "effect"
import { TestClock } from "effect/testing"
import { assertProblem, assertStatus, at, pointersOf, rowsOf, textAt } from "../harness/answers.ts"
import { as } from "../harness/crm.ts"
import { call } from "../harness/Http.ts"
import { overHttp } from "../harness/service.ts"
import { agreedFor, comingBack, connectedShop, stateIn, storeScript } from "../harness/stores.ts"
import { givenAutomationToken, givenPerson, givenTenant, inside, type Tenant } from "../harness/tenants.ts"

const freshShop = Effect.map(nextId(StoreConnectionId), (id) => `shop-${id}.myshopify.com`)

const back = (query: string) => call("GET", `/api/v1/integrations/storefront/callback${query}`)

const asJson = { accept: "application/json" }

/** Calls in the organization with this token. */
const asToken =
  ({ organization }: Tenant, token: Redacted.Redacted) =>
  (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    call(method, `/api/v1${path}`, {
      token,
      organization: organization.id,
      headers,
      ...(body !== undefined && { body })
    })

const authorize = (shop: string) => `/integrations/storefront/authorize?${new URLSearchParams({ shop, codeChallenge })}`

const queryOf = (parameters: Readonly<Record<string, string>>) => `?${new URLSearchParams(parameters)}`

/** A journey of the owner to a shop that grants these scopes: its connection, and the one-time code. */
const parked = Effect.fnUntraced(function* (
  tenant: Tenant,
  shop: string,
  shopCode = `code-${shop}`,
  scopes?: ReadonlyArray<string>
) {
  const begun = yield* as(tenant)("GET", authorize(shop), undefined, asJson)
  const script = yield* storeScript
  yield* script.addCode(shop, shopCode, scopes)
  const state = stateIn(textAt(begun, "authorizeUrl"))
  const query = script.comesBack({ shop, state, code: shopCode, at: yield* DateTime.now })
  return { id: textAt(begun, "storeConnectionId"), code: textAt(yield* back(queryOf(query)), "code") }
})

/** Store connection: the journey to the shop and back, and the completing call. */
export const storeConnectionsSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect("a store is pending until its starter completes the journey", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const shop = yield* freshShop
        const wanted = {
          provider: "shopify",
          shopDomain: shop.toUpperCase(),
          makeContacts: "reachable",
          codeChallenge
        }
        const begun = yield* send("POST", "/store_connections", wanted)
        assertStatus(begun, 201)
        assert.deepInclude(begun.body, { status: "pending", shopDomain: shop, name: shop, makeContacts: "reachable" })
        const path = `/store_connections/${textAt(begun, "id")}`
        const exists = yield* send("POST", "/store_connections", wanted)
        assertProblem(exists, 409, "store_exists")
        assert.strictEqual(at(exists.body, "storeConnectionId"), at(begun.body, "id"))
        const query = queryOf(yield* agreedFor(shop, textAt(begun, "authorizeUrl")))
        const received = yield* back(query)
        assert.deepStrictEqual(received.body, {
          storeConnectionId: at(begun.body, "id"),
          result: "authorized",
          code: textAt(received, "code"),
          organization: { id: tenant.organization.id, name: tenant.organization.name }
        })
        assertProblem(yield* back(query), 400, "store_callback_state_invalid")
        assert.deepInclude((yield* send("GET", path)).body, { status: "pending", version: 1, connectedAt: null })
        const script = yield* storeScript
        const address = `${shop} https://parley.test/webhooks/storefront/shopify`
        assert.notInclude(yield* script.subscribed, address)
        const completion = { code: textAt(received, "code"), codeVerifier }
        const connected = yield* send("POST", `${path}/complete`, completion)
        assertStatus(connected, 200)
        assert.deepInclude(connected.body, { status: "connected", name: "Corner Bakery", currency: "EUR", version: 2 })
        assert.strictEqual(at(connected.body, "freshness", "state"), "catching_up")
        assert.deepStrictEqual((yield* send("GET", path)).body, connected.body)
        assert.include(yield* script.subscribed, address)
        assertProblem(yield* send("POST", `${path}/complete`, completion), 400, "store_code_invalid")
      })
    )

    it.effect("a shop in removal is refused until the removal ends, and then connects again", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const shop = yield* freshShop
        const { id } = yield* connectedShop(tenant.organization, shop)
        assertStatus(yield* send("DELETE", `/store_connections/${id}`), 204)
        const wanted = { provider: "shopify", shopDomain: shop, codeChallenge }
        const connect = send("POST", "/store_connections", wanted, { "idempotency-key": `connect-${shop}` })
        for (const refused of [yield* connect, yield* send("GET", authorize(shop), undefined, asJson)]) {
          assertProblem(refused, 409, "store_being_removed")
          assert.deepInclude(refused.body, { storeConnectionId: id, retryAfterSeconds: 5 })
          assert.strictEqual(refused.headers.get("retry-after"), "5")
        }
        yield* Effect.provide(runDueJobs, layerJobKinds)
        assertProblem(yield* send("GET", `/store_connections/${id}`), 404, "not_found")
        const again = yield* connect
        assertStatus(again, 201)
        assert.notStrictEqual(at(again.body, "id"), id)
      })
    )

    it.effect("a browser without a session does not connect its shop through the link of an organization", () =>
      Effect.gen(function* () {
        const attacker = yield* givenTenant()
        const shop = yield* freshShop
        const begun = yield* as(attacker)("GET", authorize(shop), undefined, asJson)
        const received = yield* back(queryOf(yield* agreedFor(shop, textAt(begun, "authorizeUrl"))))
        assertStatus(received, 200)
        const stores = yield* as(attacker)("GET", "/store_connections")
        assert.deepStrictEqual(
          rowsOf(stores).map((row) => at(row, "status")),
          ["pending"]
        )
        assert.deepStrictEqual(rowsOf(yield* as(attacker)("GET", "/commerce/customers")), [])
        assert.notInclude(yield* (yield* storeScript).subscribed, shop)
      })
    )

    it.effect("rejects each wrong code, verifier and caller with the same error", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const other = yield* givenTenant()
        const colleague = yield* givenPerson(tenant.organization, "owner")
        const token = yield* givenAutomationToken(tenant, ["store_connections.manage"])
        const { code, id } = yield* parked(tenant, yield* freshShop)
        const elsewhere = yield* parked(other, yield* freshShop)
        const second = yield* parked(tenant, yield* freshShop)
        const complete = (caller: ReturnType<typeof as>, of: string, body: object) =>
          caller("POST", `/store_connections/${of}/complete`, body)
        const refused = (caller: ReturnType<typeof as>, of: string, body: object) =>
          Effect.map(complete(caller, of, body), (answer) => {
            assertProblem(answer, 400, "store_code_invalid")
            const { instance: _instance, requestId: _requestId, ...problem } = { ...answer.body }
            return problem
          })
        const good = { code, codeVerifier }
        const answers = [
          yield* refused(as(tenant), id, { ...good, codeVerifier: `${codeVerifier}x` }),
          yield* refused(as(tenant), id, { ...good, codeVerifier: "" }),
          yield* refused(as(tenant), id, { ...good, code: "" }),
          yield* refused(as(tenant), id, { ...good, code: `${code}x` }),
          yield* refused(as(tenant), id, { ...good, code: codeChallenge }),
          // Another owner of the same organization, an organization token, and another organization.
          yield* refused(asToken(tenant, colleague.token), id, good),
          yield* refused(asToken(tenant, token.token), id, good),
          yield* refused(as(other), elsewhere.id, good),
          // The code of another journey of the same starter.
          yield* refused(as(tenant), second.id, good)
        ]
        assertProblem(yield* complete(as(other), id, good), 404, "not_found")
        assertStatus(yield* complete(as(tenant), id, good), 200)
        answers.push(yield* refused(as(tenant), id, good))
        yield* TestClock.adjust("10 minutes")
        answers.push(yield* refused(as(tenant), second.id, { code: second.code, codeVerifier }))
        const [first] = answers
        for (const answer of answers) assert.deepStrictEqual(answer, first)
      })
    )

    it.effect("an automation token finishes its own journey", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const [token, another] = [
          yield* givenAutomationToken(tenant, ["store_connections.manage"]),
          yield* givenAutomationToken(tenant, ["store_connections.manage"])
        ]
        const shop = yield* freshShop
        const begun = yield* asToken(tenant, token.token)("GET", authorize(shop), undefined, asJson)
        const received = yield* back(queryOf(yield* agreedFor(shop, textAt(begun, "authorizeUrl"))))
        const path = `/store_connections/${textAt(begun, "storeConnectionId")}/complete`
        const completion = { code: textAt(received, "code"), codeVerifier }
        assertProblem(yield* asToken(tenant, another.token)("POST", path, completion), 400, "store_code_invalid")
        assertProblem(yield* as(tenant)("POST", path, completion), 400, "store_code_invalid")
        assertStatus(yield* asToken(tenant, token.token)("POST", path, completion), 200)
      })
    )

    it.effect("connects the store once when two completing calls run concurrently", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const { code, id } = yield* parked(tenant, yield* freshShop)
        const complete = as(tenant)("POST", `/store_connections/${id}/complete`, { code, codeVerifier })
        const answers = yield* Effect.all([complete, complete], { concurrency: "unbounded" })
        const [connected, refused] = answers.toSorted((one, another) => one.status - another.status)
        assert.strictEqual(connected?.status, 200)
        assert.include(["store_code_invalid", "store_exchange_in_progress"], textAt(refused ?? assert.fail(), "code"))
        assertProblem(yield* complete, 400, "store_code_invalid")
      })
    )

    it.effect("a person sent to a shop is redirected, or gets the address", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const send = as(tenant)
        const shop = yield* freshShop
        const path = authorize(shop)
        const result = yield* send("GET", path, undefined, asJson)
        assertStatus(result, 200)
        const sent = yield* send("GET", path)
        assertStatus(sent, 302)
        assert.isTrue(sent.headers.get("location")?.startsWith(`https://${shop}/admin/oauth/authorize?`))
        assert.notStrictEqual(stateIn(sent.headers.get("location") ?? ""), stateIn(textAt(result, "authorizeUrl")))
        const wrong = yield* send("GET", authorize("evil.example"), undefined, asJson)
        assertProblem(wrong, 400, "validation_failed")
        const bare = yield* send("GET", `/integrations/storefront/authorize?shop=${shop}`, undefined, asJson)
        assertProblem(bare, 400, "validation_failed")
        assert.deepStrictEqual(pointersOf(bare), ["/query/codeChallenge"])
        for (const returnTo of [
          "https://app.parley.test/stores?a=b",
          "http://127.0.0.1:49152/x",
          "http://127.0.0.1",
          "http://[::1]:7/"
        ]) {
          const allowed = yield* send("GET", `${path}&returnTo=${encodeURIComponent(returnTo)}`, undefined, asJson)
          assertStatus(allowed, 200)
        }
        for (const elsewhere of [
          "https://evil.example",
          "https://app.parley.test.evil.example/",
          "https://app.parley.test/stores#list",
          "http://127.0.0.1.evil.example/",
          "http://127.0.0.1:0/",
          "http://127.0.0.1:65536/",
          "http://127.0.0.1:80@evil.example/",
          "https://127.0.0.1/",
          "http://localhost:49152/",
          "//evil.example",
          "javascript:x"
        ]) {
          const refused = yield* send("GET", `${path}&returnTo=${encodeURIComponent(elsewhere)}`, undefined, asJson)
          assertProblem(refused, 400, "validation_failed")
          assert.deepStrictEqual(pointersOf(refused), ["/query/returnTo"])
        }
        const absent = yield* send("POST", "/store_connections", { provider: "other", shopDomain: shop, codeChallenge })
        assertProblem(absent, 409, "store_app_not_configured")
      })
    )

    it.effect(
      "the browser returns with the code in the fragment, or after a refusal with the problem in the query",
      () =>
        Effect.gen(function* () {
          const { organization } = yield* givenTenant()
          const shop = yield* freshShop
          const returnTo = "https://app.parley.test/stores?a=b"
          const answer = yield* back(yield* comingBack(organization, shop, returnTo))
          assertStatus(answer, 303)
          assert.match(
            answer.headers.get("location") ?? "",
            /^https:\/\/app\.parley\.test\/stores\?a=b#code=[\w-]{43}$/u
          )
          const begun = new URLSearchParams(yield* comingBack(organization, shop, returnTo))
          const script = yield* storeScript
          const denied = script.comesBack({ shop, state: begun.get("state") ?? "", at: yield* DateTime.now })
          assert.match(
            (yield* back(queryOf(denied))).headers.get("location") ?? "",
            /^https:\/\/app\.parley\.test\/stores\?a=b&storeConnectionId=[0-9a-f-]{36}&result=store_authorization_denied$/u
          )
        })
    )

    it.effect("without a return address, a page shows the code and names the organization", () =>
      Effect.gen(function* () {
        const { organization } = yield* givenTenant()
        const query = yield* comingBack(organization, yield* freshShop)
        const page = yield* call("GET", `/api/v1/integrations/storefront/callback${query}`, {
          headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" }
        })
        assertStatus(page, 200)
        assert.match(page.headers.get("content-type") ?? "", /^text\/html/u)
        assert.strictEqual(page.headers.get("cache-control"), "no-store")
        assert.match(page.text, /<pre>[\w-]{43}<\/pre>/u)
        assert.include(page.text, organization.name)
      })
    )

    it.effect("a callback checks signature, time, state and consent in this order", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const shop = yield* freshShop
        const script = yield* storeScript
        const now = yield* DateTime.now
        const begin = Effect.map(as(tenant)("GET", authorize(shop), undefined, asJson), (begun) =>
          stateIn(textAt(begun, "authorizeUrl"))
        )
        const comes = (what: Partial<Parameters<typeof script.comesBack>[0]>) =>
          script.comesBack({ shop, state: "x", at: now, ...what })
        const refused = (what: Readonly<Record<string, string>>, status: number, code: string) =>
          Effect.map(back(queryOf(what)), (answer) => assertProblem(answer, status, code))
        const unsigned = { ...comes({ state: yield* begin }), state: "y" }
        yield* refused(unsigned, 401, "store_callback_signature_invalid")
        yield* refused({}, 401, "store_callback_signature_invalid")
        for (const seconds of [-91, 91]) {
          const late = comes({ state: yield* begin, at: DateTime.add(now, { seconds }) })
          yield* refused(late, 401, "store_callback_signature_invalid")
        }
        yield* refused(comes({}), 400, "store_callback_state_invalid")
        const spent = yield* begin
        yield* refused(comes({ state: spent, shop: "another.myshopify.com" }), 400, "store_callback_state_invalid")
        yield* refused(comes({ state: spent }), 400, "store_callback_state_invalid")
        yield* refused(comes({ state: yield* begin }), 403, "store_authorization_denied")
      })
    )

    it.effect("a completing call checks everything before the exchange that would end a grant", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const other = yield* givenTenant()
        const shop = yield* freshShop
        const script = yield* storeScript
        const complete = ({ code, id }: { readonly code: string; readonly id: string }) =>
          as(tenant)("POST", `/store_connections/${id}/complete`, { code, codeVerifier })

        const unknown = yield* parked(tenant, shop, "unknown")
        yield* script.forgetCode("unknown")
        assertProblem(yield* complete(unknown), 422, "store_refused")
        assertProblem(yield* complete(unknown), 400, "store_code_invalid")

        const few = yield* parked(tenant, shop, "few", ["read_products", "write_orders"])
        const missing = yield* complete(few)
        assertProblem(missing, 409, "store_scopes_missing")
        assert.deepStrictEqual(at(missing.body, "missing"), ["read_customers"])

        const away = yield* parked(tenant, shop)
        yield* script.setReachable(shop, false)
        assertProblem(yield* complete(away), 503, "store_unreachable")
        yield* script.setReachable(shop, true)

        const taken = yield* givenStore(other.organization, { shopDomain: shop })
        assertProblem(yield* complete(away), 409, "store_connected_elsewhere")
        yield* transact((yield* StoreConnections).remove(taken.id, null)).pipe(inside(other.organization), Effect.orDie)
        // None of these calls spends the code of the shop.
        assertStatus(yield* complete(away), 200)
      })
    )

    it.effect("a lost answer of the exchange ends in a clear error, and connects nothing", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const shop = yield* freshShop
        const { code, id } = yield* parked(tenant, shop)
        const script = yield* storeScript
        yield* script.loseExchange(shop)
        const complete = as(tenant)("POST", `/store_connections/${id}/complete`, { code, codeVerifier })
        assertProblem(yield* complete, 503, "store_unreachable")
        assertProblem(yield* complete, 422, "store_refused")
        assert.deepInclude((yield* as(tenant)("GET", `/store_connections/${id}`)).body, { status: "pending" })
      })
    )

    it.effect("a store is no longer read after a new authorization with too few scopes", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const shop = yield* freshShop
        const { id } = yield* connectedShop(tenant.organization, shop)
        const again = yield* parked(tenant, shop, "few", ["read_products"])
        assert.strictEqual(again.id, id)
        assert.deepInclude((yield* as(tenant)("GET", `/store_connections/${id}`)).body, { status: "connected" })
        const completion = { code: again.code, codeVerifier }
        const refused = yield* as(tenant)("POST", `/store_connections/${id}/complete`, completion)
        assertProblem(refused, 409, "store_scopes_missing")
        const after = yield* as(tenant)("GET", `/store_connections/${id}`)
        assert.deepInclude(after.body, { status: "error", scopes: ["read_products"] })
        assert.strictEqual(at(after.body, "lastError", "code"), "scopes_missing")
      })
    )

    it.effect("the way to a shop is open for ten minutes", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant()
        const shop = yield* freshShop
        const begun = yield* as(tenant)("GET", authorize(shop), undefined, asJson)
        yield* TestClock.adjust("10 minutes")
        const late = yield* agreedFor(shop, textAt(begun, "authorizeUrl"))
        assertProblem(yield* back(queryOf(late)), 400, "store_callback_state_invalid")
      })
    )

    it.effect("a plan has room for so many stores", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant("free")
        const send = as(tenant)
        const first = { provider: "shopify", shopDomain: yield* freshShop, codeChallenge }
        assertStatus(yield* send("POST", "/store_connections", first), 201)
        const second = yield* send("POST", "/store_connections", {
          provider: "shopify",
          shopDomain: yield* freshShop,
          codeChallenge
        })
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
        assert.strictEqual((yield* connectedShop(tenant.organization, shop)).id, id)
        assert.deepInclude((yield* send("GET", `/store_connections/${id}`)).body, {
          shopDomain: shop,
          status: "connected"
        })
        assert.lengthOf(Array.from(Object.keys(at((yield* send("GET", "/store_connections")).body, "data") ?? {})), 1)
      })
    )
  })
