import { StoreConnectionId } from "@parley/domain/commerce"
import { Database } from "@parley/postgres-adapter"
import { freshDatabase } from "@parley/postgres-adapter/testing"
import { generateMasterKey } from "@parley/provider-adapters/security"
import { defaultStoreApp, layer as layerSimulator, type SimulatedShop, StoreSimulator } from "@parley/simulators/store"
import { codeChallenge, codeVerifier } from "@parley/testkit"
import { Context, Effect, Layer, type Redacted } from "effect"
import { assertStatus, at, textAt } from "./answers.ts"
import type { Send } from "./books.ts"
import { ours } from "./crm.ts"
import { layerPorts } from "./postgres.ts"
import { startNode } from "./processes.ts"
import { freePort } from "./shopify.ts"
import { callPort } from "./sockets.ts"
import { type Tenant } from "./tenants.ts"

/** Shared data of the processes of a service, and the port for shop deliveries. */
export class Installation extends Context.Service<
  Installation,
  { readonly database: Redacted.Redacted; readonly masterKeys: Redacted.Redacted; readonly port: number }
>()("@parley/http-adapter/test/ShopInstallation") {}

const layerInstallation = Layer.effect(
  Installation,
  Effect.gen(function* () {
    return Installation.of({
      database: yield* freshDatabase,
      masterKeys: yield* generateMasterKey("k1"),
      port: yield* freePort
    })
  })
)

/** The database of the service, with separate ports for the test, and a provider that delivers shop events to the service. */
export const layerShops = (...shops: ReadonlyArray<SimulatedShop>) =>
  Layer.unwrap(
    Effect.map(Installation, ({ database, masterKeys, port }) =>
      Layer.merge(
        layerPorts(Database.layer({ url: database, maxConnections: 4, applicationName: "onlooker" }), { masterKeys }),
        layerSimulator({
          app: { ...defaultStoreApp, complianceUrl: `http://127.0.0.1:${port}/webhooks/storefront/shopify` },
          shops,
          bulkMillis: 10
        })
      )
    )
  ).pipe(Layer.provideMerge(layerInstallation))

/** Starts a process of the service, which is killed when the scope ends. */
export const startService = Effect.gen(function* () {
  const { database, masterKeys, port } = yield* Installation
  const { url } = yield* StoreSimulator
  return yield* startNode(database, masterKeys, url, port)
})

/** Calls the running process of the service. */
export const sendAs = (tenant: Tenant) =>
  Effect.map(
    Installation,
    ({ port }): Send =>
      (method, path, body) =>
        callPort(port, method, `/api/v1${path}`, { ...ours(tenant), ...(body !== undefined && { body }) })
  )

/** Connects a shop as a user. */
export const connectShop = Effect.fnUntraced(function* (send: Send, shopDomain: string) {
  const [{ port }, simulator] = [yield* Installation, yield* StoreSimulator]
  const begun = yield* send("POST", "/store_connections", {
    provider: "shopify",
    shopDomain,
    makeContacts: "reachable",
    codeChallenge
  })
  assertStatus(begun, 201)
  const { search } = new URL(simulator.decide(textAt(begun, "authorizeUrl"), true))
  const received = yield* callPort(port, "GET", `/api/v1/integrations/storefront/callback${search}`)
  assertStatus(received, 200)
  const id = StoreConnectionId.make(textAt(begun, "id"))
  const completion = { code: textAt(received, "code"), codeVerifier }
  assertStatus(yield* send("POST", `/store_connections/${id}/complete`, completion), 200)
  return id
})

/** Waits until a store is read. */
export const untilRead = (send: Send, id: StoreConnectionId, jobId: string | null = null) =>
  Effect.repeat(Effect.delay(send("GET", `/store_connections/${id}`), "50 millis"), {
    until: ({ body }) =>
      (jobId === null || at(body, "sync", "jobId") === jobId) &&
      at(body, "sync", "state") !== "running" &&
      at(body, "sync", "state") !== "never"
  })
