import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import { ConversationId } from "@parley/domain/messaging"
import { ContactCommerceRecords, type StoredContactCommerce } from "@parley/domain/commerce"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { inNewOrganization } from "../crm/given.ts"
import { freshId, givenOrganization, inside } from "../given.ts"
import { givenConversation } from "../messaging/inbox/given.ts"
import {
  eur,
  evening,
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

const idsIn = ({ carts, connections, customerIds, customers, orders, productIds }: StoredContactCommerce) => ({
  customers: customers.map(({ customer }) => customer.id),
  orders: orders.map(({ id }) => id),
  carts: carts.map(({ id }) => id),
  connections: connections.map(({ id }) => id),
  customerIds: customerIds.map(({ id }) => id),
  productIds: productIds.map(({ id }) => id)
})

const nothing = { customers: [], orders: [], carts: [], connections: [], customerIds: [], productIds: [] }

const givenCommerce = Effect.fnUntraced(function* (contactId: ContactId) {
  const connection = yield* givenConnection()
  const customer = newCustomer(connection, { contactId, linkedBy: "phone" })
  const product = newProduct(connection)
  const { externalId: externalCustomerId } = customer.customer
  const bought = { externalCustomerId, lines: [{ ...line, externalProductId: product.product.externalId }] }
  const later = newOrder(
    connection,
    { ...bought, placedAt: evening, paymentStatus: "pending", paid: eur(0), refunded: eur(0) },
    { contactId }
  )
  const first = newOrder(connection, bought, { contactId })
  const usd = { amountMinor: 700, currency: "USD" }
  const dollars = newOrder(
    connection,
    { total: usd, paid: usd, refunded: { ...usd, amountMinor: 0 }, placedAt: DateTime.subtract(morning, { days: 1 }) },
    { contactId }
  )
  yield* putCustomers(customer)
  yield* putProducts(product, newProduct(connection))
  yield* putOrders(
    later,
    first,
    dollars,
    newOrder(connection, { test: true, placedAt: DateTime.subtract(morning, { days: 2 }) }, { contactId }),
    newOrder(connection, { cancelledAt: evening, placedAt: DateTime.subtract(morning, { days: 3 }) }, { contactId }),
    newOrder(connection, {}, { contactId, deletedAt: evening }),
    newOrder(connection, {}, { contactId: freshId(ContactId) })
  )
  const cart = newCart(connection, { externalCustomerId }, { contactId, state: "abandoned", abandonedAt: evening })
  yield* putCarts(cart, newCart(connection, {}, { contactId, state: "completed", closedAt: evening }))
  return { connection, customer, product, orders: [later, first, dollars], cart }
})

export const contactCommerceRecords: StorageContract = {
  port: "ContactCommerceRecords",
  promises: (it) => {
    it.effect("reads a contact across all stores, and nothing of another tenant", () =>
      Effect.gen(function* () {
        const commerce = yield* ContactCommerceRecords
        const contactId = freshId(ContactId)
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        yield* givenCommerce(contactId).pipe(inside(other))
        yield* Effect.gen(function* () {
          const { cart, connection, customer, orders, product } = yield* givenCommerce(contactId)
          const rows = yield* commerce.read(contactId, 3)
          assert.deepStrictEqual(idsIn(rows), {
            customers: [customer.customer.id],
            orders: orders.map(({ id }) => id),
            carts: [cart.id],
            connections: [connection.id],
            customerIds: [customer.customer.id],
            productIds: [product.product.id]
          })
          assert.deepStrictEqual(rows.orders[1]?.record, orders[1]?.record)
          assert.deepStrictEqual(
            rows.lifetime.map((each) => ({ ...each })),
            [
              { currency: "EUR", orderCount: 2, spent: eur(450), firstOrderAt: morning, lastOrderAt: evening },
              {
                currency: "USD",
                orderCount: 1,
                spent: { amountMinor: 700, currency: "USD" },
                firstOrderAt: DateTime.subtract(morning, { days: 1 }),
                lastOrderAt: DateTime.subtract(morning, { days: 1 })
              }
            ]
          )
          assert.lengthOf((yield* commerce.read(contactId, 1)).orders, 1)
        }).pipe(inside(one))
      })
    )

    it.effect("has nothing for a contact without store data", () =>
      inNewOrganization(
        Effect.gen(function* () {
          yield* givenCommerce(freshId(ContactId))
          const contactId = freshId(ContactId)
          const rows = yield* (yield* ContactCommerceRecords).read(contactId, 10)
          assert.deepStrictEqual({ ...idsIn(rows), contactId: rows.contactId }, { ...nothing, contactId })
          assert.lengthOf(rows.lifetime, 0)
        })
      )
    )

    it.effect("tells orders, refunds and carts of a contact, the newest first", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const commerce = yield* ContactCommerceRecords
          const contactId = freshId(ContactId)
          const connection = yield* givenConnection()
          const order = newOrder(connection, {}, { contactId })
          const cart = newCart(connection, { updatedAt: DateTime.add(evening, { hours: 1 }) }, { contactId })
          yield* putOrders(order, newOrder(connection, {}, { contactId, deletedAt: evening }), newOrder(connection))
          yield* putCarts(cart)
          const entries = yield* commerce.timeline(contactId, { limit: 9, after: null })
          const { name, paymentStatus, fulfilmentStatus, placedAt, total, cancelledAt } = order.record
          const storeConnectionId = connection.id
          assert.deepStrictEqual(
            entries.map((entry) => ({ ...entry })),
            [
              { kind: "cart", id: cart.id, at: cart.record.updatedAt, storeConnectionId, state: "active", total },
              {
                kind: "refund",
                id: order.refundIds[0],
                at: evening,
                storeConnectionId,
                orderId: order.id,
                amount: eur(450)
              },
              {
                kind: "order",
                id: order.id,
                at: placedAt,
                storeConnectionId,
                name,
                total,
                paymentStatus,
                fulfilmentStatus,
                cancelledAt
              }
            ]
          )
          for (const [place, { at, id }] of entries.entries()) {
            const rest = yield* commerce.timeline(contactId, { limit: 9, after: [DateTime.formatIso(at), id] })
            assert.deepStrictEqual(
              rest.map((entry) => entry.id),
              entries.slice(place + 1).map((entry) => entry.id)
            )
          }
          assert.lengthOf(yield* commerce.timeline(contactId, { limit: 1, after: null }), 1)
        })
      )
    )

    it.effect("finds all that hangs on contacts, and nothing of another tenant", () =>
      Effect.gen(function* () {
        const commerce = yield* ContactCommerceRecords
        const [contactId, another] = [freshId(ContactId), freshId(ContactId)]
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        yield* Effect.gen(function* () {
          const connection = yield* givenConnection()
          const customer = newCustomer(connection, { contactId, linkedBy: "phone" })
          const closed = newCustomer(connection, { contactId, linkedBy: "phone" }, { closedAt: evening })
          const maybe = newCustomer(connection, { contactId: another, linkedBy: "phone", conflictContactId: contactId })
          const order = newOrder(connection, {}, { contactId })
          const cart = newCart(connection, {}, { contactId })
          yield* putCustomers(customer, closed, maybe, newCustomer(connection))
          yield* putOrders(order, newOrder(connection, {}, { contactId: another }))
          yield* putCarts(cart, newCart(connection))
          const held = yield* commerce.heldBy(contactId, 9)
          assert.deepStrictEqual(
            held.customers.map((kept) => kept.customer.id),
            [customer.customer.id]
          )
          assert.deepStrictEqual(
            [held.orders.map(({ id }) => id), held.carts.map(({ id }) => id)],
            [[order.id], [cart.id]]
          )
          const locked = yield* transact(commerce.lock([contactId]))
          assert.sameMembers(
            locked.customers.map((kept) => kept.customer.id),
            [customer, closed, maybe].map((kept) => kept.customer.id)
          )
          assert.lengthOf(locked.orders, 1)
          yield* transact(commerce.removeCarts([cart.id]))
          assert.lengthOf((yield* commerce.heldBy(contactId, 9)).carts, 0)
        }).pipe(inside(one))
        const elsewhere = yield* transact(commerce.lock([contactId])).pipe(inside(other))
        assert.lengthOf([...elsewhere.customers, ...elsewhere.orders], 0)
        assert.lengthOf(yield* commerce.timeline(contactId, { limit: 9, after: null }).pipe(inside(other)), 0)
      })
    )

    it.effect("reads the contact of a conversation", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const commerce = yield* ContactCommerceRecords
          const { contactId, id } = yield* givenConversation()
          const { customer } = yield* givenCommerce(contactId)
          const rows = yield* commerce.readOfConversation(id, 10)
          assert.strictEqual(rows.contactId, contactId)
          assert.deepStrictEqual(idsIn(rows).customers, [customer.customer.id])
          const missing = yield* Effect.flip(commerce.readOfConversation(freshId(ConversationId), 10))
          assert.deepInclude(missing, { _tag: "NotFound", resource: "conversation" })
        })
      )
    )
  }
}

export const contactCommerceRecordsContract = runContract(contactCommerceRecords)
