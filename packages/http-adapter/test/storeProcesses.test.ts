import { assert, layer } from "@effect/vitest"
import { StoreConnectionId, StoreConnections } from "@parley/domain/commerce"
import { Database } from "@parley/postgres-adapter"
import { freshDatabase } from "@parley/postgres-adapter/testing"
import { generateMasterKey } from "@parley/provider-adapters/security"
import { codeChallenge, codeVerifier } from "@parley/testkit"
import { layer as layerSimulator, StoreSimulator } from "@parley/simulators/store"
import { Context, Effect, Exit, Layer, type Redacted, Scope } from "effect"
import { assertStatus, textAt } from "./harness/answers.ts"
import { everyRow, expectedBooks, type Send, shownBooks } from "./harness/books.ts"
import { ours } from "./harness/crm.ts"
import { layerPorts } from "./harness/postgres.ts"
import { startNode } from "./harness/processes.ts"
import { busyShop } from "./harness/shopify.ts"
import { callPort } from "./harness/sockets.ts"
import { givenTenant, inside, type Tenant } from "./harness/tenants.ts"

const { domain } = busyShop

class Installation extends Context.Service<
  Installation,
  { readonly database: Redacted.Redacted; readonly masterKeys: Redacted.Redacted }
>()("@parley/http-adapter/test/StoreInstallation") {}

const layerInstallation = Layer.effect(
  Installation,
  Effect.gen(function* () {
    return Installation.of({ database: yield* freshDatabase, masterKeys: yield* generateMasterKey("k1") })
  })
)

const layerWorld = Layer.unwrap(
  Effect.map(Installation, ({ database, masterKeys }) =>
    layerPorts(Database.layer({ url: database, maxConnections: 4 }), { masterKeys })
  )
).pipe(
  Layer.provideMerge(layerInstallation),
  // Enough orders for an export in several parts.
  Layer.provideMerge(layerSimulator({ shops: [{ ...busyShop, orders: 1_200 }], bulkMillis: 10 }))
)

const start = Effect.gen(function* () {
  const { database, masterKeys } = yield* Installation
  const { url } = yield* StoreSimulator
  return yield* startNode(database, masterKeys, url)
})

const sendTo =
  (port: number, tenant: Tenant): Send =>
  (method, path, body) =>
    callPort(port, method, `/api/v1${path}`, { ...ours(tenant), ...(body !== undefined && { body }) })

const syncUntil = (
  tenant: Tenant,
  id: StoreConnectionId,
  isSo: (sync: {
    readonly state: string
    readonly phase: string | null
    readonly progress: { done: number }
  }) => boolean
) =>
  Effect.repeat(
    Effect.delay(
      Effect.flatMap(StoreConnections, (connections) => connections.get(id)),
      "20 millis"
    ),
    { until: ({ sync }) => sync.state === "failed" || isSo(sync) }
  ).pipe(inside(tenant.organization))

layer(layerWorld, { excludeTestServices: true, timeout: "120 seconds" })("the import of a shop", (it) => {
  it.effect(
    "has everything that the shop has, once, when its process is killed in the middle of it",
    () =>
      Effect.gen(function* () {
        const simulator = yield* StoreSimulator
        const tenant = yield* givenTenant()
        // One part each of the products, customers and orders succeeds; the next part never ends.
        simulator.misbehave({ on: "file", times: 3, what: { kind: "latency", millis: 0 } })
        simulator.misbehave({ on: "file", times: 100, what: { kind: "hang" } })
        const life = yield* Scope.make()
        const first = yield* start.pipe(Scope.provide(life))
        const begun = yield* sendTo(first.port, tenant)("POST", "/store_connections", {
          provider: "shopify",
          shopDomain: domain,
          makeContacts: "reachable",
          codeChallenge
        })
        assertStatus(begun, 201)
        const id = StoreConnectionId.make(textAt(begun, "id"))
        const { search } = new URL(simulator.decide(textAt(begun, "authorizeUrl"), true))
        const received = yield* callPort(first.port, "GET", `/api/v1/integrations/storefront/callback${search}`)
        assertStatus(received, 200)
        const completion = { code: textAt(received, "code"), codeVerifier }
        assertStatus(yield* sendTo(first.port, tenant)("POST", `/store_connections/${id}/complete`, completion), 200)
        const { sync } = yield* syncUntil(tenant, id, ({ phase, progress }) => phase === "orders" && progress.done > 0)
        yield* Scope.close(life, Exit.void)
        assert.strictEqual(yield* first.ended, "SIGKILL")
        assert.isBelow(sync.progress.done, 1_200, "All orders were read before the process could be killed.")

        simulator.behave()
        const second = yield* start
        const { lastError, sync: ended } = yield* syncUntil(tenant, id, ({ state }) => state === "done")
        assert.deepStrictEqual([ended.state, lastError], ["done", null])
        const send = sendTo(second.port, tenant)
        const [shown, expected] = [yield* shownBooks(send), expectedBooks(simulator.books(domain))]
        for (const kind of ["customers", "products", "carts", "orders"] as const) {
          assert.deepStrictEqual(shown[kind], expected[kind])
        }
        const contactIds = (yield* everyRow(send, "/commerce/customers")).flatMap((row) => row["contactId"] ?? [])
        const contacts = (yield* everyRow(send, "/contacts")).map((row) => row["id"])
        assert.isAbove(contacts.length, 0)
        assert.sameMembers(contacts, contactIds)
      }),
    120_000
  )
})
