import {
  startStoreAuthorization,
  completeStoreConnection,
  listContacts,
  receiveStoreCallback,
  ShopDomain,
  StoreConnection,
  type StoreConnectionId,
  StoreConnections,
  transact
} from "@parley/domain"
import type { Settings } from "@parley/service/configuration"
import type { RunningStoreSimulator } from "@parley/testkit/simulators/store"
import { Clock, DateTime, Effect, Redacted, Schedule } from "effect"
import { newVerifier } from "../commands/stores/authorization.ts"
import { asMember } from "../tenant/selection.ts"
import { carla, demoCustomers, earlier } from "./customers.ts"
import { freePort, inDemo } from "./provider.ts"
import { demoTenants } from "./tenants.ts"

const [
  {
    users: [{ email: owner }]
  }
] = demoTenants

export const domain = ShopDomain.make("demo-acme.myshopify.com")

const app = { clientId: "demo-store-app", clientSecret: "demo-store-app-secret" }

const day = 86_400_000

/** How long ago people did in the shop what they had done when the demo starts: the store is connected after that. */
const history = 3_600_000
const connected = 1_800_000

/** Names who leaves a cart and buys in the demo, as the shop knows her. */
export const demoBuyer = demoCustomers.ana

/** Where the demo's store will be: it is started once the service runs, so that nobody waits for it. */
export const placeDemoStore = Effect.map(freePort(null), (port) => ({ port, url: `http://127.0.0.1:${port}` }))

/** The settings with which the service reads the demo's store; its owner's own app goes before it. */
export const withDemoStore = (settings: Settings, url: string): Settings => ({
  ...settings,
  storeApiUrl: { ...settings.storeApiUrl, value: url },
  storeClientId: { ...settings.storeClientId, value: app.clientId },
  storeClientSecrets: { ...settings.storeClientSecrets, value: [Redacted.make(app.clientSecret)] }
})

interface Buyer {
  readonly name: string
  readonly phone: string
  readonly email?: string | null
}

/** What the people of the demo have bought: each time the same, as the shop forgets it when it stops. */
const fillShop = (shop: RunningStoreSimulator) => {
  const buyer = ({ email = null, name, phone }: Buyer) => {
    const [firstName = name, ...rest] = name.split(" ")
    return shop.act({ kind: "add_customer", shop: domain, firstName, lastName: rest.join(" "), phone, email })
  }
  const order = (customer: number) => shop.act({ kind: "buy", shop: domain, customer, paid: true })
  const sent = (order: number, status: "DELIVERED" | "IN_TRANSIT") =>
    shop.act({ kind: "fulfil", shop: domain, order, status })

  const newcomer = buyer({ ...carla, email: "carla@customers.example" })
  sent(order(newcomer), "DELIVERED")
  sent(order(newcomer), "IN_TRANSIT")
  shop.act({ kind: "begin_checkout", shop: domain, customer: newcomer })
  for (const person of [demoCustomers.ana, demoCustomers.tom]) sent(order(buyer(person)), "DELIVERED")
  sent(order(buyer(demoCustomers.marie)), "IN_TRANSIT")
  shop.act({ kind: "begin_checkout", shop: domain, customer: buyer(demoCustomers.kenji) })
}

const startShop = Effect.fnUntraced(function* (port: number) {
  const { startStoreSimulator } = yield* Effect.promise(() => import("@parley/testkit/simulators/store"))
  const shop = yield* startStoreSimulator({
    port,
    clock: yield* earlier(history)(Clock.Clock),
    app,
    shops: [
      {
        domain,
        name: "Acme Shop",
        currency: "EUR",
        country: "DE",
        seed: "demo",
        customers: 20,
        orders: 40,
        products: 12,
        historyMillis: 50 * day
      }
    ]
  })
  fillShop(shop)
  shop.advance(history)
  return shop
})

/** The customer who writes first is known before the shop tells of her, and so is found by her number. */
const carlaIsKnown = inDemo((organization) =>
  asMember(organization, owner, listContacts({ phone: carla.phone }, { limit: 1, cursor: null })).pipe(
    Effect.repeat({ schedule: Schedule.spaced("250 millis"), times: 80, until: ({ data }) => data.length > 0 })
  )
)

/** A cart that somebody has left a quarter of an hour ago counts as abandoned, and not as history: the store was connected before. */
const backdate = Effect.fnUntraced(function* (id: StoreConnectionId) {
  const connections = yield* StoreConnections
  const connectedAt = DateTime.subtract(yield* DateTime.now, { milliseconds: connected })
  const store = yield* connections.get(id)
  yield* connections.save(new StoreConnection({ ...store, connectedAt, cartAbandonedAfterMinutes: 15 }), null)
}, transact)

/** The shop loses the tokens of earlier runs, so each start authorizes it again. */
const connectShop = (shop: RunningStoreSimulator) =>
  inDemo((organization) =>
    Effect.gen(function* () {
      const { codeChallenge, codeVerifier } = yield* newVerifier
      const { authorizeUrl, storeConnectionId } = yield* asMember(
        organization,
        owner,
        startStoreAuthorization(domain, { codeChallenge })
      )
      const back = new URL(shop.decide(authorizeUrl, true))
      const code = yield* Effect.fromResult((yield* receiveStoreCallback(Object.fromEntries(back.searchParams))).code)
      const { id } = yield* asMember(
        organization,
        owner,
        completeStoreConnection(storeConnectionId, { code, codeVerifier })
      )
      yield* backdate(id)
    })
  )

/** Starts the demo's store and connects it. Whatever becomes of it, the service runs. */
export const openDemoStore = Effect.fnUntraced(
  function* (port: number) {
    const shop = yield* startShop(port)
    yield* carlaIsKnown
    yield* connectShop(shop)
  },
  Effect.catchCause((cause) => Effect.logWarning("The demo's store is closed", cause))
)
