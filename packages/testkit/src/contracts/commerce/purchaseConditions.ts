import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { type ContactId, Contacts, type FilterInput, readFilter } from "@parley/domain/crm"
import {
  type CartState,
  commerceFilterFields,
  type StoredOrder,
  StoreConnections,
  StoreCustomer
} from "@parley/domain/commerce"
import { Arbitrary, DateTime, Effect } from "effect"
import { among } from "../../fixtures/drawing.ts"
import { amounts, currencies, noon, purchaseFilters, purchaseTimes } from "../../fixtures/purchases.ts"
import { runContract, type StorageContract } from "../contract.ts"
import { all, everyone, givenContact, holds, idsOf, inNewOrganization, listed } from "../crm/given.ts"
import {
  eur,
  givenConnection,
  line,
  morning,
  newCart,
  newCustomer,
  newOrder,
  newProduct,
  putCarts,
  putCustomers,
  putOrders,
  putProducts
} from "./given.ts"
import { type Purchases, saysOf } from "./purchases.ts"

const read = (input: FilterInput, there: ReadonlySet<string>) => {
  const { faults, filter } = readFilter(input, "", {
    now: noon,
    fields: [],
    tags: new Set(),
    segments: new Map(),
    others: commerceFilterFields,
    named: new Map(commerceFilterFields.map(({ name }) => [name, there]))
  })
  assert.deepStrictEqual(faults, [])
  return filter
}

/** Purchases in stores, and their ids for filters. */
interface Made extends Purchases {
  readonly named: ReadonlyArray<string>
}

/** Compares the list of a filter and its count with the expectation for all contacts. */
const holdsFor = Effect.fnUntraced(function* (people: ReadonlyArray<ContactId>, made: Made, input: FilterInput) {
  const filter = read(input, new Set(made.named))
  const expected = people.filter((id) => saysOf(made, id, input))
  assert.deepStrictEqual(idsOf(yield* listed({ ...everyone, filter }, all)), expected)
  assert.strictEqual(yield* (yield* Contacts).countOf({ filter, search: null }), expected.length)
})

const cartStates: ReadonlyArray<CartState> = ["active", "abandoned", "recovered", "completed", "expired"]

/** Stores with three products each, with equal ids, and people with different actions there. */
const givenPurchases = Effect.fnUntraced(function* (seed: number, storeCount: 1 | 2 = 2) {
  const people: Array<ContactId> = []
  for (let place = 0; place < 10; place++) people.push((yield* givenContact()).id)
  const stores = [yield* givenConnection(), ...(storeCount === 1 ? [] : [yield* givenConnection()])]
  const products = stores.flatMap((store) =>
    ["bread", "salt", "soup"].map((externalId) => newProduct(store, { externalId }))
  )
  const drawn = yield* Effect.orDie(
    Arbitrary.sampleEffect(
      Arbitrary.all({
        contactId: among([...people.slice(1), null]),
        store: among(stores),
        currency: among(currencies.slice(0, storeCount)),
        paid: among(amounts),
        refunded: among(amounts),
        placedAt: among(purchaseTimes),
        product: among(["bread", "salt", "soup", "unknown"]),
        currentQuantity: among([1, 0]),
        gone: among(["", "", "", "test", "cancelled", "deleted"]),
        cart: among(cartStates)
      }),
      { count: 30, seed }
    )
  )
  const orders = drawn.map(
    ({ contactId, currency, currentQuantity, gone, paid, placedAt, product, refunded, store }): StoredOrder => {
      const money = (amountMinor: number) => ({ amountMinor, currency })
      const input = {
        placedAt,
        total: money(paid),
        paid: money(paid),
        refunded: money(refunded),
        test: gone === "test",
        cancelledAt: gone === "cancelled" ? noon : null,
        lines: [
          { ...line, externalProductId: product, currentQuantity },
          { ...line, externalProductId: "soup", currentQuantity: 0 },
          { ...line, externalProductId: product, currentQuantity: 0 }
        ]
      }
      return newOrder(store, input, { contactId, deletedAt: gone === "deleted" ? noon : null })
    }
  )
  const carts = drawn
    .slice(0, 8)
    .map(({ cart, contactId, placedAt, store }) =>
      newCart(
        store,
        {},
        { contactId, state: cart, abandonedAt: cart === "active" || cart === "completed" ? null : placedAt }
      )
    )
  const customers = drawn
    .slice(0, 4)
    .map(({ contactId, gone, store }) =>
      newCustomer(store, { contactId }, { closedAt: gone === "deleted" ? morning : null })
    )
  yield* putProducts(...products)
  yield* putCustomers(...customers)
  yield* putCarts(...carts)
  yield* putOrders(...orders)
  const named = [...stores.map(({ id }) => id), ...products.map(({ product }) => product.id)]
  return { people, stores, made: { orders, carts, customers, products, named } satisfies Made }
})

const filtersOf = ({ made: { products }, stores }: Effect.Success<ReturnType<typeof givenPurchases>>) =>
  purchaseFilters(
    products.map(({ product }) => product.id),
    stores.map(({ id }) => id)
  )

/** Contract of contact filters on purchases. */
export const purchaseConditions: StorageContract = {
  port: "Contacts (by what is known of their purchases)",
  promises: (it) => {
    it.effect.each([
      [5, 2],
      [11, 2],
      [17, 1]
    ] as const)(
      "are found by their orders, spending, products, carts and stores (%i, in as many stores and currencies as %i)",
      ([seed, storeCount]) =>
        inNewOrganization(
          Effect.gen(function* () {
            const given = yield* givenPurchases(seed, storeCount)
            yield* holds(filtersOf(given), (input) => holdsFor(given.people, given.made, input), {
              runs: 150,
              size: 20,
              seed: `purchases ${seed}`
            })
          })
        ),
      60_000
    )

    it.effect(
      "are found by current orders: changed, moved to another contact, deleted, or removed with their store",
      () =>
        inNewOrganization(
          Effect.gen(function* () {
            const given = yield* givenPurchases(7)
            const { made, people, stores } = given
            const [first, second] = [people[1], people[2]]
            const changed = made.orders.map((order, place): StoredOrder => {
              const { record } = order
              const others = { ...record, lines: [{ ...line, externalProductId: "salt", currentQuantity: 2 }] }
              if (place % 4 === 0) return { ...order, record: others }
              if (place % 4 === 1) return { ...order, contactId: order.contactId === first ? (second ?? null) : null }
              return place % 4 === 2 ? { ...order, deletedAt: noon } : order
            })
            yield* putOrders(...changed)
            const now = { ...made, orders: changed }
            const check = (left: Made, seed: string) =>
              holds(filtersOf(given), (input) => holdsFor(people, left, input), { runs: 60, size: 20, seed })
            yield* check(now, "changed")
            const [gone] = stores
            assert.isDefined(gone)
            yield* transact(Effect.flatMap(StoreConnections, (port) => port.remove(gone.id, null)))
            const stays = ({ storeConnectionId }: { readonly storeConnectionId: string }) =>
              storeConnectionId !== gone.id
            yield* check(
              {
                ...made,
                orders: changed.filter(stays),
                carts: made.carts.filter(stays),
                customers: made.customers.filter(({ customer }) => stays(customer)),
                products: made.products.filter(({ product }) => stays(product))
              },
              "removed"
            )
          })
        ),
      60_000
    )

    it.effect("are found by the orders of customers who are linked to them, and left, after these were stored", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const people = [(yield* givenContact()).id, (yield* givenContact()).id]
          const store = yield* givenConnection()
          const bread = newProduct(store, { externalId: "bread" })
          const lines = [{ ...line, externalProductId: "bread", currentQuantity: 1 }]
          const kept = newCustomer(store)
          const { externalId: externalCustomerId } = kept.customer
          const bought = { externalCustomerId, paid: eur(100), refunded: eur(0), lines }
          const orders = [newOrder(store, bought), newOrder(store, bought), newOrder(store, { ...bought, test: true })]
          yield* putProducts(bread)
          yield* putOrders(...orders)
          const filters = [
            { field: "orderCount", op: "is", value: 2 },
            { field: "spent", op: "is", value: { amountMinor: 200, currency: "EUR" } },
            { field: "product", op: "bought", value: { productIds: [bread.product.id] } }
          ]
          for (const contactId of [...people, null]) {
            const customer = new StoreCustomer({
              ...kept.customer,
              contactId,
              linkedBy: contactId === null ? null : "phone"
            })
            yield* putCustomers({ ...kept, customer })
            const made = {
              orders: orders.map((order) => ({ ...order, contactId })),
              carts: [],
              customers: [{ ...kept, customer }],
              products: [bread],
              named: [bread.product.id]
            }
            for (const input of filters) yield* holdsFor(people, made, input)
          }
        })
      )
    )

    it.effect("are counted with all of their orders that are stored side by side", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const { id: contactId } = yield* givenContact()
          const store = yield* givenConnection()
          const orders = Array.from({ length: 6 }, (_, place) =>
            newOrder(
              store,
              { placedAt: DateTime.add(morning, { hours: place }), paid: eur(100), refunded: eur(0) },
              { contactId }
            )
          )
          yield* Effect.forEach(orders, (order) => putOrders(order), { concurrency: "unbounded" })
          const made = { orders, carts: [], customers: [], products: [], named: [] }
          for (const input of [
            { field: "orderCount", op: "is", value: 6 },
            { field: "spent", op: "is", value: { amountMinor: 600, currency: "EUR" } }
          ]) {
            assert.isTrue(saysOf(made, contactId, input))
            yield* holdsFor([contactId], made, input)
          }
        })
      )
    )
  }
}

/** Runs the contract of purchase filters against an adapter. */
export const purchaseConditionsContract = runContract(purchaseConditions)
