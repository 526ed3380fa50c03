import { transact } from "@parley/domain/kernel"
import { listContacts } from "@parley/domain/crm"
import {
  startStoreAuthorization,
  completeStoreConnection,
  receiveStoreCallback,
  ShopDomain,
  StoreConnection,
  type StoreConnectionId,
  StoreConnections
} from "@parley/domain/commerce"
import type { Settings } from "@parley/service/configuration"
import type { RunningStoreSimulator } from "@parley/simulators/store"
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

/** Age of the actions in the shop at the start of the demo, in milliseconds. The store is connected after them. */
const history = 3_600_000
const connected = 1_800_000

/** Name of the customer who abandons a cart and buys in the demo, as in the shop. */
export const demoBuyer = demoCustomers.ana

/** Reserves the address of the demo store. The store starts after the service, so the startup does not wait for it. */
export const placeDemoStore = Effect.map(freePort(null), (port) => ({ port, url: `http://127.0.0.1:${port}` }))

/** Returns the settings for the demo store. An app that the user has configured takes precedence. */
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

/** Adds the purchases of the demo. They are the same at each start, because the shop loses its data when it stops. */
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
  const { startStoreSimulator } = yield* Effect.promise(() => import("@parley/simulators/store"))
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

/** Waits until the customer who writes first is a contact. The customer of the shop is then matched by phone number. */
const carlaIsKnown = inDemo((organization) =>
  asMember(organization, owner, listContacts({ phone: carla.phone, page: { limit: 1, cursor: null } })).pipe(
    Effect.repeat({ schedule: Schedule.spaced("250 millis"), times: 80, until: ({ data }) => data.length > 0 })
  )
)

/**
 * Moves the connection time of the store into the past. A cart that was left a quarter of an hour ago then counts as abandoned and not as history.
 */
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
        startStoreAuthorization({ shop: domain, codeChallenge })
      )
      const back = new URL(shop.decide(authorizeUrl, true))
      const code = yield* Effect.fromResult((yield* receiveStoreCallback(Object.fromEntries(back.searchParams))).code)
      const { id } = yield* asMember(
        organization,
        owner,
        completeStoreConnection({ id: storeConnectionId, code, codeVerifier })
      )
      yield* backdate(id)
    })
  )

/** Starts and connects the demo store. The service runs even if this fails. */
export const openDemoStore = Effect.fnUntraced(
  function* (port: number) {
    const shop = yield* startShop(port)
    yield* carlaIsKnown
    yield* connectShop(shop)
  },
  Effect.catchCause((cause) => Effect.logWarning("The store of the demo is not available", cause))
)
