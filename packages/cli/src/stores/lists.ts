import { CartState, ContactId, FulfilmentStatus, PaymentStatus, StoreConnectionId, Timestamp } from "@parley/domain"
import { Effect, Schema } from "effect"
import { Command } from "effect/cli"
import { collect, queryOf } from "../console/collect.ts"
import * as Flags from "../console/flags.ts"
import { listFlags, one } from "../console/listing.ts"
import { printList } from "../console/print.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { cartView, customerView, orderView, productView } from "./records.ts"

const ofStore = {
  storeConnectionId: one(StoreConnectionId),
  updatedSince: one(Timestamp),
  q: one(Schema.NonEmptyString)
}
const ofContact = { ...ofStore, contactId: one(ContactId) }

/** Lists orders of stores. */
export const ordersCommand = Command.make(
  "orders",
  {
    org: Flags.org,
    ...listFlags({ ...ofContact, paymentStatus: one(PaymentStatus), fulfilmentStatus: one(FulfilmentStatus) })
  },
  Effect.fn(function* ({ filter, json, limit, org, quiet }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ commerce }) {
        const { isCut, rows } = yield* collect(limit, (page) =>
          commerce.listOrders({ query: { ...filter, ...queryOf(page) } })
        )
        yield* printList(orderView, { json, quiet }, rows, isCut)
      })
    )
  })
).pipe(
  Command.withDescription("List the orders of all stores, newest first"),
  Command.withExamples([{ command: "parley stores orders --filter 'q=#1001' --filter paymentStatus=paid" }])
)

/** Lists carts of stores. */
export const cartsCommand = Command.make(
  "carts",
  { org: Flags.org, ...listFlags({ ...ofContact, state: one(CartState) }) },
  Effect.fn(function* ({ filter, json, limit, org, quiet }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ commerce }) {
        const { isCut, rows } = yield* collect(limit, (page) =>
          commerce.listCarts({ query: { ...filter, ...queryOf(page) } })
        )
        yield* printList(cartView, { json, quiet }, rows, isCut)
      })
    )
  })
).pipe(Command.withDescription("List the carts of all stores, newest first"))

/** Lists customers of stores. */
export const customersCommand = Command.make(
  "customers",
  { org: Flags.org, ...listFlags(ofContact) },
  Effect.fn(function* ({ filter, json, limit, org, quiet }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ commerce }) {
        const { isCut, rows } = yield* collect(limit, (page) =>
          commerce.listCustomers({ query: { ...filter, ...queryOf(page) } })
        )
        yield* printList(customerView, { json, quiet }, rows, isCut)
      })
    )
  })
).pipe(Command.withDescription("List the customers of all stores, newest first, with the contacts they are"))

/** Lists products of stores. */
export const productsCommand = Command.make(
  "products",
  { org: Flags.org, ...listFlags(ofStore) },
  Effect.fn(function* ({ filter, json, limit, org, quiet }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ commerce }) {
        const { isCut, rows } = yield* collect(limit, (page) =>
          commerce.listProducts({ query: { ...filter, ...queryOf(page) } })
        )
        yield* printList(productView, { json, quiet }, rows, isCut)
      })
    )
  })
).pipe(Command.withDescription("List the products of all stores, newest first"))
