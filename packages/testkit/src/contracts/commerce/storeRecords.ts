import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import {
  allOrders,
  type StoredCustomer,
  type StoredOrder,
  type StoredProduct,
  orderCursorKey,
  OrderId,
  type OrderQuery,
  parseOrderSearch,
  StoreCarts,
  StoreCustomer,
  StoreCustomers,
  StoreOrders,
  StoreProducts
} from "@parley/domain/commerce"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { all, inNewOrganization } from "../crm/given.ts"
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

const idsOf = (rows: ReadonlyArray<{ readonly id: string }>) => rows.map(({ id }) => id)

export const storeRecords: StorageContract = {
  port: "records of stores",
  promises: (it) => {
    it.effect("are kept with every field, and out of another tenant's sight", () =>
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

    it.effect("are locked by the shop's ids, and changed in place", () =>
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

    it.effect("are listed by request, newest first", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const [connection, other] = [yield* givenConnection(), yield* givenConnection()]
          const contactId = freshId(ContactId)
          const orders = yield* StoreOrders
          const first = newOrder(connection, { name: "#1001" }, { contactId })
          const second = newOrder(connection, { name: "#1002", paymentStatus: "pending" }, { updatedAt: evening })
          const third = newOrder(other, { email: "Süd@example.com", fulfilmentStatus: "fulfilled" })
          yield* putOrders(first, second, third)
          const found = (request: Partial<OrderQuery>) =>
            Effect.map(orders.list({ ...allOrders, ...request }, all), idsOf)
          const search = parseOrderSearch
          assert.deepStrictEqual(yield* found({}), [third.id, second.id, first.id])
          assert.deepStrictEqual(yield* found({ storeConnectionId: other.id }), [third.id])
          assert.deepStrictEqual(yield* found({ contactId }), [first.id])
          assert.deepStrictEqual(yield* found({ updatedSince: evening }), [second.id])
          assert.deepStrictEqual(yield* found({ search: search("1002") }), [second.id])
          assert.deepStrictEqual(yield* found({ search: search("SUD@") }), [third.id])
          assert.deepStrictEqual(yield* found({ search: search("%%%") }), [])
          assert.deepStrictEqual(yield* found({ paymentStatus: "pending" }), [second.id])
          assert.deepStrictEqual(yield* found({ fulfilmentStatus: "fulfilled" }), [third.id])
          const page = yield* orders.list(allOrders, { limit: 1, after: [third.id] })
          assert.deepStrictEqual(idsOf(page), [second.id])

          const carts = yield* StoreCarts
          const [active, expired] = [newCart(connection), newCart(connection, {}, { state: "expired" })]
          yield* putCarts(active, expired)
          assert.deepStrictEqual(idsOf(yield* carts.list({ ...anyCart, state: "expired" }, all)), [expired.id])
          assert.lengthOf(yield* carts.list({ ...anyCart, q: "sourdough" }, all), 2)

          const products = yield* StoreProducts
          yield* putProducts(newProduct(connection, { title: "Rye" }), newProduct(connection))
          assert.lengthOf(yield* products.list({ ...anything, q: "rye" }, all), 1)
          assert.lengthOf(yield* products.list({ ...anything, q: "bread-1" }, all), 2)

          const customers = yield* StoreCustomers
          yield* putCustomers(newCustomer(connection), newCustomer(connection, {}, { closedAt: evening }))
          assert.lengthOf(yield* customers.list({ ...anything, q: "lovelace" }, all), 1)
          const wang = newCustomer(connection, { name: "王小明 Ｂ" })
          yield* putCustomers(wang, newCustomer(connection, { name: "王明" }))
          for (const q of ["小明", "王小明", "明 b"]) {
            const [one, ...others] = yield* customers.list({ ...anything, q }, all)
            assert.deepStrictEqual([one?.customer.id, others.length], [wang.customer.id, 0])
          }
        })
      )
    )

    it.effect("finds orders by lines, tracking numbers and customers, and words that resemble a word", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const [connection, other] = [yield* givenConnection(), yield* givenConnection()]
          const orders = yield* StoreOrders
          const ada = newCustomer(connection, { name: "Ada Lovelace" })
          const { externalId: externalCustomerId } = ada.customer
          const [line] = newOrder(connection).record.lines
          const lines = line === undefined ? [] : [{ ...line, title: "Crème Brûlée", sku: "CB-7" }]
          const fulfilments = [
            { status: "pending", carrier: null, trackingNumber: "00340434161094021501", trackingUrl: null, at: morning }
          ] as const
          const dessert = newOrder(connection, { lines, email: "eve@example.com", externalCustomerId: null })
          const parcel = newOrder(connection, { fulfilments, phone: "+49 (30) 901820", externalCustomerId: null })
          const bought = newOrder(connection, { externalCustomerId })
          const elsewhere = newOrder(other, { externalCustomerId })
          yield* putCustomers(ada)
          yield* putProducts(newProduct(connection, { title: "Crème Brûlée" }))
          yield* putOrders(dessert, parcel, bought, elsewhere)
          const found = (q: string) =>
            Effect.map(orders.list({ ...allOrders, search: parseOrderSearch(q) }, all), idsOf)
          assert.deepStrictEqual(yield* found("BRULEE creme"), [dessert.id])
          assert.deepStrictEqual(yield* found("cb-7 eve@"), [dessert.id])
          assert.deepStrictEqual(yield* found("4161094021501"), [parcel.id])
          assert.deepStrictEqual(yield* found("00340434161094021501"), [parcel.id])
          for (const q of ["+49 30 901820", "030 901820", "030901820", "004930901820", "901820"]) {
            assert.deepStrictEqual(yield* found(q), [parcel.id], q)
          }
          assert.deepStrictEqual(yield* found("lovelace ada"), [bought.id])
          assert.deepStrictEqual(yield* found("lovelace brulee"), [])
          assert.deepStrictEqual(yield* found("100%"), [])
          for (const [typed, meant] of [
            ["brulle", "brulee"],
            ["burlee", "brulee"],
            ["lovelaec", "lovelace"],
            ["lovalace", "lovelace"]
          ] as const) {
            assert.include(yield* orders.wordsLike(typed), meant)
          }
          const near = { kind: "near", spellings: [["lovalace", "lovelace"]] } as const
          assert.deepStrictEqual(idsOf(yield* orders.list({ ...allOrders, search: near }, all)), [bought.id])
          const typed = { kind: "near", spellings: [["lovelace", "lovalace"]] } as const
          assert.deepStrictEqual(yield* orders.list({ ...allOrders, search: typed }, all), [])
        })
      )
    )

    it.effect("lists orders by time of placement, page after page", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const connection = yield* givenConnection()
          const orders = yield* StoreOrders
          const late = newOrder(connection, { placedAt: evening })
          const early = newOrder(connection, { placedAt: morning })
          const again = newOrder(connection, { placedAt: evening })
          yield* putOrders(late, early, again)
          const list = Effect.fnUntraced(function* (request: Partial<OrderQuery>) {
            const query = { ...allOrders, ...request }
            const ids: Array<OrderId> = []
            let after: ReadonlyArray<string> | null = null
            do {
              const [row]: ReadonlyArray<StoredOrder> = yield* orders.list(query, { limit: 1, after })
              if (row !== undefined) ids.push(row.id)
              after = row === undefined ? null : orderCursorKey(query.sort, row)
            } while (after !== null)
            return ids
          })
          assert.deepStrictEqual(yield* list({ sort: "createdAt" }), [late.id, early.id, again.id])
          assert.deepStrictEqual(yield* list({ sort: "placedAt" }), [early.id, late.id, again.id])
          assert.deepStrictEqual(yield* list({ sort: "-placedAt" }), [again.id, late.id, early.id])
          assert.deepStrictEqual(yield* list({ placedFrom: evening, sort: "placedAt" }), [late.id, again.id])
          assert.deepStrictEqual(yield* list({ placedTo: evening }), [early.id])
          assert.deepStrictEqual(yield* list({ placedFrom: morning, placedTo: evening }), [early.id])
        })
      )
    )

    it.effect("are not shown once they are gone at the shop, and locked yet", () =>
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

    it.effect("follow their customer to a contact, and from it", () =>
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
          assert.deepStrictEqual(idsOf(yield* transact(orders.lockOfCustomer(connection.id, externalCustomerId))), [
            order.id
          ])
          assert.deepStrictEqual(idsOf(yield* transact(carts.lockOfCustomer(connection.id, externalCustomerId))), [
            cart.id
          ])
          assert.lengthOf(yield* transact(carts.lockOfCustomer(other.id, externalCustomerId)), 0)
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
