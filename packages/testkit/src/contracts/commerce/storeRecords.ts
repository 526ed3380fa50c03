import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import {
  allOrders,
  type StoredCustomer,
  type StoredProduct,
  OrderId,
  StoreCarts,
  StoreCustomer,
  StoreCustomers,
  StoreOrders,
  StoreProducts
} from "@parley/domain/commerce"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { all, idsOf, inNewOrganization } from "../crm/given.ts"
import { freshId, freshText, givenOrganization, inside } from "../given.ts"
import {
  anyCart,
  anything,
  evening,
  givenConnection,
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

const plainCustomer = ({ customer, ...kept }: StoredCustomer) => ({ ...customer, ...kept })
const plainProduct = ({ changedAt, product }: StoredProduct) => ({ ...product, changedAt })

export const storeRecords: StorageContract = {
  port: "records of stores",
  promises: (it) => {
    it.effect("stores records with every field, and hides them from other tenants", () =>
      Effect.gen(function* () {
        const [customers, orders] = [yield* StoreCustomers, yield* StoreOrders]
        const [carts, products] = [yield* StoreCarts, yield* StoreProducts]
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const given = yield* Effect.gen(function* () {
          const connection = yield* givenConnection()
          const customer = newCustomer(
            connection,
            { contactId: freshId(ContactId), linkedBy: "made", conflictContactId: freshId(ContactId) },
            { smsConsentAt: evening, chatConsentAt: morning }
          )
          const order = newOrder(connection, { checkoutToken: "t" }, { contactId: freshId(ContactId) })
          const cart = newCart(
            connection,
            { token: "t", completedAt: evening },
            { state: "recovered", abandonedAt: evening, toldAt: evening, orderId: freshId(OrderId), closedAt: evening }
          )
          const product = newProduct(connection)
          yield* putCustomers(customer)
          yield* putOrders(order)
          yield* putCarts(cart)
          yield* putProducts(product)
          assert.deepStrictEqual(plainCustomer(yield* customers.get(customer.customer.id)), plainCustomer(customer))
          assert.deepStrictEqual({ ...(yield* orders.get(order.id)) }, order)
          assert.deepStrictEqual({ ...(yield* carts.get(cart.id)) }, cart)
          assert.deepStrictEqual(plainProduct(yield* products.get(product.product.id)), plainProduct(product))
          assert.lengthOf(yield* customers.idsOf([customer.customer, { ...customer.customer, externalId: "x" }]), 1)
          assert.lengthOf(yield* products.idsOf([product.product]), 1)
          assert.deepStrictEqual(idsOf(yield* orders.placedFrom(connection.id, ["t", "u"])), [order.id])
          return { connection, customer, order, cart, product }
        }).pipe(inside(one))
        yield* Effect.gen(function* () {
          const { cart, connection, customer, order, product } = given
          assert.strictEqual((yield* Effect.flip(customers.get(customer.customer.id)))._tag, "NotFound")
          assert.strictEqual((yield* Effect.flip(orders.get(order.id)))._tag, "NotFound")
          assert.strictEqual((yield* Effect.flip(carts.get(cart.id)))._tag, "NotFound")
          assert.strictEqual((yield* Effect.flip(products.get(product.product.id)))._tag, "NotFound")
          assert.lengthOf(yield* customers.list(anything, all), 0)
          assert.lengthOf(yield* orders.list(allOrders, all), 0)
          assert.lengthOf(yield* carts.list(anyCart, all), 0)
          assert.lengthOf(yield* products.list(anything, all), 0)
          assert.lengthOf(yield* customers.idsOf([customer.customer]), 0)
          assert.lengthOf(yield* products.idsOf([product.product]), 0)
          assert.lengthOf(yield* orders.placedFrom(connection.id, ["t"]), 0)
          assert.lengthOf(yield* transact(customers.lock(connection.id, [customer.customer.externalId])), 0)
          assert.lengthOf(yield* transact(orders.lock(connection.id, [order.record.externalId])), 0)
          assert.lengthOf(yield* transact(carts.lock(connection.id, [cart.record.externalId])), 0)
          assert.lengthOf(yield* transact(carts.lockByToken(connection.id, ["t"])), 0)
          assert.lengthOf(yield* transact(products.lock(connection.id, [product.product.externalId])), 0)
        }).pipe(inside(other))
      })
    )

    it.effect("locks records by the ids of the store, and changes them in place", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const [connection, other] = [yield* givenConnection(), yield* givenConnection()]
          const [customers, orders] = [yield* StoreCustomers, yield* StoreOrders]
          const [carts, products] = [yield* StoreCarts, yield* StoreProducts]
          const externalId = freshText("same")
          const token = freshText("token")
          yield* putCustomers(newCustomer(connection, { externalId }), newCustomer(other, { externalId }))
          yield* putOrders(newOrder(connection, { externalId }), newOrder(other, { externalId }))
          yield* putCarts(newCart(connection, { externalId, token }), newCart(other, { externalId, token }))
          yield* putProducts(newProduct(connection, { externalId }), newProduct(other, { externalId }))
          const locked = yield* transact(
            Effect.gen(function* () {
              const [customer] = yield* customers.lock(connection.id, [externalId, "x"])
              const [order] = yield* orders.lock(connection.id, [externalId])
              const [cart] = yield* carts.lock(connection.id, [externalId])
              const [again] = yield* carts.lockByToken(connection.id, [token])
              const [product] = yield* products.lock(connection.id, [externalId])
              assert.strictEqual(again?.id, cart?.id)
              if (customer === undefined || order === undefined || cart === undefined || product === undefined) {
                return yield* Effect.die(new Error("A record was not found."))
              }
              return { customer, order, cart, product }
            })
          )
          assert.strictEqual(locked.customer.customer.storeConnectionId, connection.id)
          const customer = {
            ...locked.customer,
            changedAt: evening,
            customer: new StoreCustomer({ ...locked.customer.customer, name: null, updatedAt: evening })
          }
          const order = { ...locked.order, record: { ...locked.order.record, name: "#2" }, updatedAt: evening }
          const cart = {
            ...locked.cart,
            record: { ...locked.cart.record, externalId: "an id that became known" },
            state: "expired" as const,
            closedAt: evening
          }
          yield* putCustomers(customer)
          yield* putOrders(order)
          yield* putCarts(cart)
          yield* putProducts({ ...locked.product, changedAt: evening })
          assert.deepStrictEqual(plainCustomer(yield* customers.get(customer.customer.id)), plainCustomer(customer))
          assert.deepStrictEqual({ ...(yield* orders.get(order.id)) }, order)
          assert.deepStrictEqual({ ...(yield* carts.get(cart.id)) }, cart)
          assert.deepStrictEqual((yield* products.get(locked.product.product.id)).changedAt, evening)
          assert.lengthOf(yield* customers.list(anything, all), 2)
        })
      )
    )

    it.effect("hides records that are deleted at the store, and still locks them", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const connection = yield* givenConnection()
          const orders = yield* StoreOrders
          const order = newOrder(connection, { checkoutToken: "t" }, { deletedAt: evening })
          yield* putOrders(order)
          assert.lengthOf(yield* orders.list(allOrders, all), 0)
          assert.strictEqual((yield* Effect.flip(orders.get(order.id)))._tag, "NotFound")
          assert.lengthOf(yield* orders.placedFrom(connection.id, ["t"]), 0)
          assert.lengthOf(yield* transact(orders.lock(connection.id, [order.record.externalId])), 1)
          const customers = yield* StoreCustomers
          const kept = newCustomer(connection, {}, { closedAt: evening })
          yield* putCustomers(kept)
          assert.lengthOf(yield* customers.idsOf([kept.customer]), 0)
          assert.strictEqual((yield* Effect.flip(customers.get(kept.customer.id)))._tag, "NotFound")
          assert.lengthOf(yield* transact(customers.lock(connection.id, [kept.customer.externalId])), 1)
        })
      )
    )

    it.effect("finds orders by their ids and by customers once, in id order, and locks deleted ones too", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const [connection, other] = [yield* givenConnection(), yield* givenConnection()]
          const orders = yield* StoreOrders
          const [externalCustomerId, externalId] = [freshText("customer"), freshText("order")]
          const made = [
            newOrder(connection, { externalId, externalCustomerId }),
            newOrder(connection, { externalCustomerId }),
            newOrder(connection)
          ]
          const deleted = newOrder(connection, { externalCustomerId }, { deletedAt: evening })
          yield* putOrders(...made, deleted, newOrder(other, { externalId, externalCustomerId }), newOrder(connection))
          const refs = {
            externalIds: [externalId, made[2]?.record.externalId ?? "", freshText("unknown")],
            externalCustomerIds: [externalCustomerId, freshText("unknown")]
          }
          const ids = made.map(({ id }) => id).toSorted()
          assert.deepStrictEqual(idsOf(yield* orders.referenced(connection.id, refs, 10)), ids)
          assert.deepStrictEqual(idsOf(yield* orders.referenced(connection.id, refs, 2)), ids.slice(0, 2))
          assert.strictEqual(yield* orders.countReferenced(connection.id, refs), 3)
          assert.deepStrictEqual(
            idsOf(yield* transact(orders.lockReferenced(connection.id, refs))),
            [...ids, deleted.id].toSorted()
          )
          const none = { externalIds: [], externalCustomerIds: [] }
          assert.lengthOf(yield* transact(orders.lockReferenced(connection.id, none)), 0)
          assert.strictEqual(yield* orders.countReferenced(connection.id, none), 0)
        })
      )
    )

    it.effect("links records to the contact of their customer, and unlinks them", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const [connection, other] = [yield* givenConnection(), yield* givenConnection()]
          const [orders, carts] = [yield* StoreOrders, yield* StoreCarts]
          const kept = newCustomer(connection)
          const { externalId: externalCustomerId } = kept.customer
          const order = newOrder(connection, { externalCustomerId })
          const elsewhere = newOrder(other, { externalCustomerId })
          const cart = newCart(connection, { externalCustomerId })
          yield* putOrders(order, elsewhere, newOrder(connection))
          yield* putCarts(cart)
          const contactId = freshId(ContactId)
          const linked = new StoreCustomer({ ...kept.customer, contactId, linkedBy: "phone", updatedAt: evening })
          yield* putCustomers({ ...kept, customer: linked })
          assert.deepStrictEqual(idsOf(yield* orders.list({ ...allOrders, contactId }, all)), [order.id])
          assert.deepStrictEqual(idsOf(yield* carts.list({ ...anyCart, contactId }, all)), [cart.id])
          assert.deepStrictEqual((yield* orders.get(order.id)).updatedAt, evening)
          assert.deepStrictEqual(idsOf(yield* transact(carts.lockOfCustomers(connection.id, [externalCustomerId]))), [
            cart.id
          ])
          assert.lengthOf(yield* transact(carts.lockOfCustomers(other.id, [externalCustomerId])), 0)
          yield* putCustomers(kept)
          assert.lengthOf(yield* orders.list({ ...allOrders, contactId }, all), 0)
          assert.lengthOf(yield* carts.list({ ...anyCart, contactId }, all), 0)
        })
      )
    )
  }
}

/** Checks an adapter against the contract of store records. */
export const storeRecordsContract = runContract(storeRecords)
