import { assert, layer } from "@effect/vitest"
import { type Organization, runDueJobs, runDueLanes } from "@parley/domain/platform"
import {
  connectStore,
  getContactCommerce,
  listOrders,
  listStoreCustomers,
  type StoreConnectionId,
  StoreConnections,
  storeLaneWorker,
  syncStore
} from "@parley/domain/commerce"
import { layerJobKinds } from "@parley/domain/composition"
import { asOperatorOf, codeChallenge, finishJourney, givenOrganization, TestKit } from "@parley/testkit"
import { StoreSimulator } from "@parley/simulators/store"
import { Effect, Layer } from "effect"
import { agree, shop, simulated } from "./simulated.ts"

/** Currencies without decimals, with two and with three, and a price in each. */
const currencies = [
  { currency: "JPY", minor: 398 },
  { currency: "EUR", minor: 1_999 },
  { currency: "KWD", minor: 1_234 }
] as const

const domainOf = (currency: string) => `shop-${currency.toLowerCase()}.myshopify.com`

const stage = Layer.mergeAll(
  TestKit.layer,
  simulated({
    attempts: 1,
    shops: currencies.map(({ currency }) => ({ ...shop, domain: domainOf(currency), seed: currency, currency }))
  })
)

const anything = { storeConnectionId: null, contactId: null, updatedSince: null, q: null }
const page = { limit: 100, cursor: null }

const read = (organization: Organization, id: StoreConnectionId) =>
  Effect.gen(function* () {
    yield* runDueLanes(storeLaneWorker)
    yield* Effect.provide(runDueJobs, layerJobKinds, { local: true })
    const { sync } = yield* Effect.flatMap(StoreConnections, (connections) => connections.get(id)).pipe(
      asOperatorOf(organization)
    )
    return sync.state
  }).pipe(
    Effect.delay("20 millis"),
    Effect.repeat({ until: (state) => state === "done" || state === "failed" }),
    Effect.map((state) => assert.strictEqual(state, "done"))
  )

layer(stage, { excludeTestServices: true, timeout: "60 seconds" })("shops of every kind of currency", (it) => {
  it.effect.each(currencies)(
    "$currency: the amounts of orders, refunds and customers match the shop",
    ({ currency, minor }) =>
      Effect.gen(function* () {
        const simulator = yield* StoreSimulator
        const organization = yield* givenOrganization({ plan: "scale" })
        const inside = asOperatorOf(organization)
        const shopDomain = domainOf(currency)
        const product = simulator.act({ kind: "add_product", shop: shopDomain, title: "Cup", price: minor })
        const customer = simulator.act({
          kind: "add_customer",
          shop: shopDomain,
          firstName: "Ada",
          phone: "+4915112345678"
        })
        const buy = (quantity: number) =>
          simulator.act({ kind: "buy", shop: shopDomain, customer, items: [{ product, quantity }] })
        const [first, second] = [buy(3), buy(1)]
        simulator.act({ kind: "refund", shop: shopDomain, order: second, amount: 7 })

        const begun = yield* connectStore({
          provider: "shopify",
          shopDomain,
          makeContacts: "reachable",
          codeChallenge
        }).pipe(inside)
        const { id } = yield* finishJourney(begun.id, agree(simulator, begun.authorizeUrl)).pipe(inside)
        yield* read(organization, id)

        const books = () => new Map([...simulator.books(shopDomain).orders()].map((order) => [order.externalId, order]))
        const assertOrders = Effect.gen(function* () {
          const { data } = yield* listOrders({ page })
          const expected = books()
          assert.isAtLeast(data.length, 60)
          for (const order of data) {
            const result = expected.get(order.externalId)
            assert.deepStrictEqual(order.total, result?.total, order.externalId)
            assert.strictEqual(order.total.currency, currency)
            assert.deepStrictEqual(
              [order.tax, order.shipping, order.paid],
              [result?.tax, result?.shipping, result?.paid]
            )
            assert.deepStrictEqual(order.refunded, result?.refunded)
            assert.deepStrictEqual(
              order.refunds.map(({ amount }) => amount),
              result?.refunds.map(({ amount }) => amount)
            )
            assert.deepStrictEqual(
              order.lines.map(({ unitPrice }) => unitPrice),
              result?.lines.map(({ unitPrice }) => unitPrice)
            )
          }
          const lines = data.find(({ externalId }) => externalId === String(first))?.lines
          assert.deepStrictEqual(lines?.[0]?.unitPrice, { amountMinor: minor, currency })
        }).pipe(inside)
        yield* assertOrders

        const spent = Effect.gen(function* () {
          const { data } = yield* listStoreCustomers({ ...anything, q: "Ada", page })
          const found = data.find(({ externalId }) => externalId === String(customer))
          const contactId = yield* Effect.fromNullishOr(found?.contactId)
          const { lifetime } = yield* getContactCommerce({ id: contactId })
          return lifetime.map(({ currency: of, orderCount, spent: sum }) => [of, orderCount, sum])
        }).pipe(inside)
        const sumOf = (...ids: ReadonlyArray<number>) =>
          ids.reduce((sum, each) => {
            const order = books().get(String(each))
            return sum + (order?.paid.amountMinor ?? 0) - (order?.refunded.amountMinor ?? 0)
          }, 0)
        const expectedSpent = { amountMinor: sumOf(first, second), currency }
        assert.strictEqual(books().get(String(second))?.refunded.amountMinor, 7)
        assert.deepStrictEqual(yield* spent, [[currency, 2, expectedSpent]])

        simulator.act({ kind: "refund", shop: shopDomain, order: first, amount: minor })
        yield* syncStore({ id }).pipe(inside)
        yield* read(organization, id)
        yield* assertOrders
        const after = { amountMinor: sumOf(first, second), currency }
        assert.strictEqual(after.amountMinor, expectedSpent.amountMinor - minor)
        assert.deepStrictEqual(yield* spent, [[currency, 2, after]])
      })
  )
})
