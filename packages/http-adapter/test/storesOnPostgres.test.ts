import { assert, layer } from "@effect/vitest"
import { InboundDeliveries } from "@parley/domain/platform"
import { ContactId } from "@parley/domain/crm"
import { StoreConnectionId, StoreConnections, StaleRecords } from "@parley/domain/commerce"
import { Database } from "@parley/postgres-adapter"
import { freshDatabase } from "@parley/postgres-adapter/testing"
import { codeChallenge, codeVerifier, givenConversation } from "@parley/testkit"
import { type Action, defaultStoreApp, layer as layerSimulator, StoreSimulator } from "@parley/simulators/store"
import { Effect, Layer } from "effect"
import { assertProblem, assertStatus, at, rowsOf, textAt } from "./harness/answers.ts"
import { deliveredCarts, everyRow, expectedBooks, expectedOf, type Send, shownBooks, shownOf } from "./harness/books.ts"
import { ours } from "./harness/crm.ts"
import type { Answer } from "./harness/Http.ts"
import { layerPorts } from "./harness/postgres.ts"
import { agreeInBrowser, busyShop, freePort, layerShopify } from "./harness/shopify.ts"
import { Address, callPort, layerListening } from "./harness/sockets.ts"
import { givenTenant, inside } from "./harness/tenants.ts"

const { domain } = busyShop

/** The service as it runs, with a shop of a simulator that delivers to it. */
const layerWorld = Layer.unwrap(
  Effect.gen(function* () {
    const [port, database] = [yield* freePort, yield* freshDatabase]
    const publicUrl = `http://127.0.0.1:${port}`
    const service = Effect.map(StoreSimulator, ({ url }) =>
      layerListening(
        layerPorts(Database.layer({ url: database, maxConnections: 8 }), { stores: layerShopify(url, publicUrl) }),
        { port, baseUrl: publicUrl }
      )
    )
    const complianceUrl = `${publicUrl}/webhooks/storefront/shopify`
    const simulator = layerSimulator({ app: { ...defaultStoreApp, complianceUrl }, shops: [busyShop], bulkMillis: 10 })
    return Layer.unwrap(service).pipe(Layer.provideMerge(simulator))
  })
)

const given = Effect.gen(function* () {
  const tenant = yield* givenTenant()
  const { port } = yield* Address
  const send: Send = (method, path, body) =>
    callPort(port, method, `/api/v1${path}`, { ...ours(tenant), ...(body !== undefined && { body }) })
  return { tenant, port, send, simulator: yield* StoreSimulator }
})
type Given = Effect.Success<typeof given>

/** Repeats the request until the answer matches. */
const until = ({ send }: Given, path: string, isSo: (answer: Answer) => boolean) =>
  Effect.repeat(Effect.delay(send("GET", path), "20 millis"), { until: isSo })

const path = (id: StoreConnectionId) => `/store_connections/${id}`

/** Completes the journey with the code in the fragment of the browser's return address. */
const completeIn = Effect.fnUntraced(function* ({ send }: Given, id: StoreConnectionId, back: URL) {
  const code = new URLSearchParams(back.hash.slice(1)).get("code") ?? ""
  assert.strictEqual(back.href, `${back.origin}${back.pathname}${back.search}#code=${code}`)
  assertStatus(yield* send("POST", `${path(id)}/complete`, { code, codeVerifier }), 200)
})

const synced = (stage: Given, id: StoreConnectionId, jobId: string | null = null) =>
  Effect.gen(function* () {
    const answer = yield* until(stage, path(id), ({ body }) => {
      const state = at(body, "sync", "state")
      return (jobId === null || at(body, "sync", "jobId") === jobId) && (state === "done" || state === "failed")
    })
    assert.strictEqual(at(answer.body, "sync", "state"), "done", answer.text)
    return answer
  })

/** Whether all reports of the shop are processed: each delivery was accepted and processed, and stale records were read. */
const isCaughtUp = ({ simulator, tenant }: Given, id: StoreConnectionId) =>
  Effect.gen(function* () {
    if (!simulator.isIdle()) return false
    const waiting = yield* (yield* InboundDeliveries).list("waiting", { limit: 1, after: null })
    return waiting.length === 0 && (yield* (yield* StaleRecords).oldestOf([id])).length === 0
  }).pipe(inside(tenant.organization))

const caughtUp = (stage: Given, id: StoreConnectionId) =>
  Effect.repeat(Effect.delay(isCaughtUp(stage, id), "20 millis"), { until: (is) => is })

const assertBooks = (stage: Given, isPolled = true) =>
  Effect.gen(function* () {
    const [shown, expected] = [yield* shownBooks(stage.send), expectedBooks(stage.simulator.books(domain))]
    for (const kind of ["customers", "products", "orders"] as const) {
      assert.deepStrictEqual(shown[kind], expected[kind])
    }
    const cartsIn = (books: typeof shown) => (isPolled ? books.carts : deliveredCarts(books.carts))
    assert.deepStrictEqual(cartsIn(shown), cartsIn(expected))
  })

const customerOf = (stage: Given, externalId: number) =>
  Effect.map(everyRow(stage.send, "/commerce/customers"), (rows) =>
    rows.find((row) => row["externalId"] === String(externalId))
  )

const privacyRequest = (stage: Given, kind: string, state: string) =>
  Effect.map(
    until(stage, "/privacy_requests", (answer) =>
      rowsOf(answer).some((row) => at(row, "kind") === kind && at(row, "state") === state)
    ),
    (answer) =>
      String(
        at(
          rowsOf(answer).find((row) => at(row, "kind") === kind),
          "id"
        )
      )
  )

layer(layerWorld, { excludeTestServices: true, timeout: "120 seconds" })("a shop, from beginning to end", (it) => {
  it.effect(
    "is connected in a browser, read as its books have it, followed, left, found again and forgotten",
    () =>
      Effect.gen(function* () {
        const stage = yield* given
        const { port, send, simulator, tenant } = stage
        const act = (action: Action) => simulator.act(action)
        const books = () => simulator.books(domain)

        const person = { firstName: "Ada", lastName: "King", phone: "+4915112345678", email: "ada@buyers.example" }
        const buyer = act({ kind: "add_customer", shop: domain, ...person })
        const stranger = act({
          kind: "add_customer",
          shop: domain,
          firstName: "Grace",
          phone: "+4915187654321",
          email: "grace@buyers.example"
        })
        for (const customer of [buyer, buyer, stranger]) act({ kind: "buy", shop: domain, customer, paid: true })
        const contact = yield* send("POST", "/contacts", { name: "Ada K.", phone: person.phone })
        assertStatus(contact, 201)
        const contactId = ContactId.make(textAt(contact, "id"))

        const returnTo = `http://127.0.0.1:${port}/docs?from=stores`
        const begun = yield* send("POST", "/store_connections", {
          provider: "shopify",
          shopDomain: domain,
          makeContacts: "reachable",
          codeChallenge,
          returnTo
        })
        assertStatus(begun, 201)
        const back = yield* agreeInBrowser(textAt(begun, "authorizeUrl"))
        const id = StoreConnectionId.make(textAt(begun, "id"))
        yield* completeIn(stage, id, back)

        const first = yield* synced(stage, id)
        assert.deepInclude(first.body, { status: "connected", name: "Ada", currency: "EUR", lastError: null })
        assert.strictEqual(at(first.body, "freshness", "state"), "live")
        yield* assertBooks(stage)
        const commerce = `/contacts/${contactId}/commerce`
        const expected = expectedOf(books(), String(buyer))
        assert.deepStrictEqual(shownOf(yield* send("GET", commerce)), expected)
        const conversation = yield* givenConversation(tenant.organization, { contactId })
        const ofConversation = yield* send("GET", `/conversations/${conversation.id}/commerce`)
        assert.deepStrictEqual(shownOf(ofConversation), expected)

        simulator.misdeliver({ duplicates: 1, lateMillis: 30, reverse: 5 })
        const bought = act({ kind: "buy", shop: domain, customer: buyer, paid: true })
        act({ kind: "refund", shop: domain, order: bought })
        act({ kind: "cancel", shop: domain, order: act({ kind: "buy", shop: domain, customer: buyer }) })
        simulator.turns(domain, 30)
        simulator.misdeliver({})
        yield* caughtUp(stage, id)
        yield* assertBooks(stage, false)
        assert.deepStrictEqual(shownOf(yield* send("GET", commerce)), expectedOf(books(), String(buyer)))
        assert.isTrue(simulator.deliveries().every(({ status }) => status === 200))

        simulator.misdeliver({ lose: 100 })
        act({ kind: "buy", shop: domain, customer: buyer, paid: true })
        simulator.behave()
        yield* caughtUp(stage, id)
        const before = yield* send("GET", commerce)
        assert.notDeepEqual(shownOf(before), expectedOf(books(), String(buyer)))
        const pass = yield* send("POST", `${path(id)}/sync`, {})
        assertStatus(pass, 202)
        yield* synced(stage, id, textAt(pass, "id"))
        yield* assertBooks(stage)
        assert.deepStrictEqual(shownOf(yield* send("GET", commerce)), expectedOf(books(), String(buyer)))

        act({ kind: "uninstall", shop: domain })
        const left = yield* until(stage, path(id), ({ body }) => body["status"] === "uninstalled")
        assert.strictEqual(at(left.body, "freshness", "state"), "frozen")
        const secrets = Effect.flatMap(StoreConnections, (connections) => connections.secrets(id))
        assert.isNull(yield* secrets.pipe(inside(tenant.organization)))
        assertProblem(yield* send("POST", `${path(id)}/sync`, {}), 409, "store_not_connected")
        simulator.turns(domain, 20)
        assert.deepStrictEqual(shownOf(yield* send("GET", commerce)), expectedOf(books(), String(buyer)))

        const again = yield* send("POST", "/store_connections", {
          provider: "shopify",
          shopDomain: domain,
          codeChallenge
        })
        assertProblem(again, 409, "store_exists")
        const authorizePath = `/integrations/storefront/authorize?${new URLSearchParams({ shop: domain, codeChallenge, returnTo })}`
        const authorize = yield* callPort(port, "GET", `/api/v1${authorizePath}`, {
          ...ours(tenant),
          headers: { accept: "application/json" }
        })
        assertStatus(authorize, 200)
        assert.strictEqual(textAt(authorize, "storeConnectionId"), id)
        const historyOf = Effect.map(everyRow(send, "/commerce/orders"), (rows) => rows.map((row) => row["id"]))
        const history = yield* historyOf
        yield* completeIn(stage, id, yield* agreeInBrowser(textAt(authorize, "authorizeUrl")))
        const returned = yield* synced(stage, id)
        assert.deepInclude(returned.body, { status: "connected", lastError: null })
        yield* caughtUp(stage, id)
        yield* assertBooks(stage)
        assert.includeMembers([...(yield* historyOf)], history)

        act({ kind: "request_data", shop: domain, customer: buyer })
        const asked = yield* privacyRequest(stage, "data_request", "ready")
        const file = yield* send("GET", `/privacy_requests/${asked}/export`)
        assertStatus(file, 200)
        assert.include(file.text, person.email)
        assertStatus(yield* send("POST", `/privacy_requests/${asked}/complete`), 200)

        const made = yield* customerOf(stage, stranger)
        assert.strictEqual(made?.["linkedBy"], "made")
        act({ kind: "redact_customer", shop: domain, customer: stranger })
        yield* privacyRequest(stage, "redact_customer", "done")
        assertStatus(yield* send("GET", `/contacts/${String(made?.["contactId"])}`), 404)
        yield* synced(stage, id, textAt(yield* send("POST", `${path(id)}/sync`, { full: true }), "id"))
        assert.isUndefined(yield* customerOf(stage, stranger))

        assertStatus(yield* send("DELETE", path(id)), 204)
        assert.isNull(simulator.scopes(domain))
        yield* until(stage, path(id), ({ status }) => status === 404)
        for (const kind of ["customers", "orders", "products", "carts"]) {
          assert.deepStrictEqual(yield* everyRow(send, `/commerce/${kind}`), [])
        }
        assert.deepStrictEqual(shownOf(yield* send("GET", commerce)), { customers: [], orders: [], lifetime: [] })
      }),
    120_000
  )
})
