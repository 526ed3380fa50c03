import { assert } from "@effect/vitest"
import { ContactId } from "@parley/domain/crm"
import {
  allOrders,
  type StoredOrder,
  orderCursorKey,
  type OrderId,
  type OrderQuery,
  parseOrderSearch,
  StoreCarts,
  StoreCustomers,
  StoreOrders,
  StoreProducts
} from "@parley/domain/commerce"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { all, idsOf, inNewOrganization } from "../crm/given.ts"
import { freshId } from "../given.ts"
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

export const storeRecordLists: StorageContract = {
  port: "lists of records of stores",
  promises: (it) => {
    it.effect("lists records by request, newest first", () =>
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

    it.effect("lists orders by time of placement, page by page", () =>
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
  }
}

/** Checks an adapter against the contract of lists of records of stores. */
export const storeRecordListsContract = runContract(storeRecordLists)
