import { assert, describe, it } from "@effect/vitest"
import type { Money } from "@parley/domain/kernel"
import { JobQueue, runDueJobs, runDueLanes } from "@parley/domain/platform"
import { Contacts } from "@parley/domain/crm"
import {
  allOrders,
  type CustomerRecord,
  type LineRecord,
  type OrderRecord,
  StoreConnections,
  storeLaneWorker,
  StoreOrders,
  StoreCustomers,
  StorePlatforms,
  updateStoreConnection
} from "@parley/domain/commerce"
import { layerJobKinds } from "@parley/domain/composition"
import { asOperatorOf, givenOrganization, givenShop, MemoryStores, StoreScript } from "@parley/testkit"
import { DateTime, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { givenNodes } from "./support/nodes.ts"

const dawn = DateTime.makeUnsafe("2026-03-01T06:00:00Z")
const eur = (amountMinor: number): Money => ({ amountMinor, currency: "EUR" })

const lineRecord: LineRecord = {
  externalProductId: "p1",
  externalVariantId: "v1",
  sku: "BREAD-1",
  title: "Sourdough",
  variantTitle: null,
  imageUrl: null,
  quantity: 2,
  currentQuantity: 2,
  unitPrice: eur(450),
  discount: eur(0)
}

const customerRecord = (place: number): CustomerRecord => ({
  externalId: `c${place}`,
  name: `Ada ${place}`,
  phones: [`+49170${1_000_000 + place}`],
  email: `ada-${place}@example.com`,
  locale: "en",
  tags: [],
  smsConsent: { state: "subscribed", at: dawn },
  chatConsent: { state: "unknown", at: null },
  emailConsent: { state: "unknown", at: null },
  updatedAt: dawn
})

const orderRecord = (place: number): OrderRecord => ({
  externalId: `o${place}`,
  name: `#${place}`,
  externalCustomerId: `c${place % 30}`,
  phone: null,
  email: null,
  checkoutToken: null,
  placedAt: dawn,
  cancelledAt: null,
  test: false,
  paymentStatus: "paid",
  fulfilmentStatus: "unfulfilled",
  total: eur(900),
  currentTotal: eur(900),
  tax: eur(63),
  shipping: eur(0),
  discount: eur(0),
  paid: eur(900),
  refunded: eur(0),
  presentmentTotal: eur(900),
  statusUrl: null,
  adminUrl: null,
  lines: [lineRecord],
  fulfilments: [],
  refunds: [{ externalId: `r${place}`, amount: eur(1), at: dawn }],
  truncated: false,
  updatedAt: dawn
})

const numbers = (count: number) => Array.from({ length: count }, (_, place) => place)

const work = Effect.gen(function* () {
  yield* runDueLanes(storeLaneWorker)
  yield* Effect.provide(runDueJobs, layerJobKinds, { local: true })
})

describe("the first import of a store", () => {
  it.effect(
    "contains all records of the shop after an interruption at any page",
    () =>
      Effect.gen(function* () {
        const [node = assert.fail()] = yield* givenNodes(1)
        const [platforms, script] = [yield* StorePlatforms, yield* StoreScript]
        yield* TestClock.setTime(DateTime.toEpochMillis(DateTime.add(dawn, { days: 1 })))
        yield* Effect.gen(function* () {
          const organization = yield* givenOrganization({ plan: "scale" })
          const { id, shopDomain } = yield* givenShop(organization)
          yield* updateStoreConnection({ id, makeContacts: "reachable", takeConsent: true, ifVersion: null }).pipe(
            asOperatorOf(organization)
          )
          yield* script.put(shopDomain, "customers", ...numbers(30).map(customerRecord))
          yield* script.put(shopDomain, "orders", ...numbers(90).map(orderRecord))
          const queue = yield* JobQueue
          let steps = 0
          const dying = JobQueue.of({
            ...queue,
            advance: (lease, step) => {
              steps += 1
              return steps % 16 === 0 ? Effect.die(new Error("The process has ended.")) : queue.advance(lease, step)
            }
          })
          for (let turn = 0; turn < 12; turn += 1) {
            yield* work.pipe(Effect.provideService(JobQueue, dying))
            yield* TestClock.adjust("2 seconds")
          }
          yield* Effect.gen(function* () {
            const store = yield* (yield* StoreConnections).get(id)
            assert.deepInclude(store.sync, { state: "done", progress: { done: 120, total: 120 } })
            const anything = { storeConnectionId: id, contactId: null, updatedSince: null, q: null }
            const all = { limit: 200, after: null }
            const customers = yield* (yield* StoreCustomers).list(anything, all)
            assert.deepStrictEqual([customers.length, yield* (yield* Contacts).count()], [30, 30])
            assert.isTrue(customers.every(({ customer }) => customer.linkedBy === "made"))
            const orders = yield* (yield* StoreOrders).list({ ...allOrders, storeConnectionId: id }, all)
            const contactOf = new Map(customers.map(({ customer }) => [customer.externalId, customer.contactId]))
            assert.deepStrictEqual(
              Object.fromEntries(orders.map(({ contactId, record }) => [record.externalId, [record.name, contactId]])),
              Object.fromEntries(
                numbers(90).map((place) => [`o${place}`, [`#${place}`, contactOf.get(`c${place % 30}`) ?? null]])
              )
            )
          }).pipe(asOperatorOf(organization))
        }).pipe(Effect.provideService(StorePlatforms, platforms), Effect.provide(node))
      }).pipe(Effect.provide(Layer.fresh(MemoryStores.layer))),
    60_000
  )
})
