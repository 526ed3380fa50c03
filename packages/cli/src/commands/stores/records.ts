import { Timestamp } from "@parley/domain/kernel"
import { ContactId } from "@parley/domain/crm"
import { ConversationId } from "@parley/domain/messaging"
import {
  CartId,
  CartState,
  ContactCommerce,
  FulfilmentStatus,
  OrderId,
  OrderSort,
  PaymentStatus,
  ProductId,
  StoreConnectionId,
  StoreCustomerId
} from "@parley/domain/commerce"
import { WrongUsage } from "@parley/service/configuration"
import { Console, Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Flags from "../../console/flags.ts"
import { collect, listFlags, one, queryOf } from "../../console/listing.ts"
import { printJson, printList, printOne, printRows } from "../../console/print.ts"
import { amountText } from "../../console/text.ts"
import { typedArgument, typedFlag } from "../../console/typed.ts"
import { inTenant } from "../../tenant/inTenant.ts"
import { cartView, customerView, orderView, productView } from "./views.ts"

const ofStore = {
  storeConnectionId: one(StoreConnectionId),
  updatedSince: one(Timestamp),
  q: one(Schema.NonEmptyString)
}
const ofContact = { ...ofStore, contactId: one(ContactId) }

export const ordersCommand = Command.make(
  "orders",
  {
    org: Flags.org,
    sort: Flag.Literals("sort", OrderSort.literals).pipe(
      Flag.withDescription("Sort order; a minus is descending (-createdAt)"),
      Flag.optional
    ),
    ...listFlags({
      ...ofContact,
      paymentStatus: one(PaymentStatus),
      fulfilmentStatus: one(FulfilmentStatus),
      placedFrom: one(Timestamp),
      placedTo: one(Timestamp)
    })
  },
  Effect.fn(function* ({ filter, json, limit, org, quiet, sort }) {
    const query = { ...filter, ...(Option.isSome(sort) && { sort: sort.value }) }
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ commerce }) {
        const { isCut, rows } = yield* collect(limit, (page) =>
          commerce.listOrders({ query: { ...query, ...queryOf(page) } })
        )
        yield* printList(orderView, { json, quiet }, rows, isCut)
      })
    )
  })
).pipe(
  Command.withDescription("List the orders of all stores, newest first by default"),
  Command.withExamples([
    { command: "parley stores orders --filter 'q=#1001' --filter paymentStatus=paid" },
    { command: "parley stores orders --filter q=sourdough --filter placedFrom=2026-11-01T00:00:00Z --sort -placedAt" }
  ])
)

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
).pipe(Command.withDescription("List the customers of all stores with their contacts, newest first"))

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

export const orderCommand = Command.make(
  "order",
  {
    org: Flags.org,
    id: typedArgument("order", OrderId).pipe(Argument.withDescription("Id of the order in Parley, not in the shop")),
    json: Flags.json
  },
  Effect.fn(function* ({ id, json, org }) {
    yield* inTenant(org, ({ commerce }) =>
      Effect.flatMap(commerce.getOrder({ params: { id } }), (found) => printOne(orderView, { json }, found))
    )
  })
).pipe(Command.withDescription("Show an order; --json adds lines and parcels"))

export const cartCommand = Command.make(
  "cart",
  {
    org: Flags.org,
    id: typedArgument("cart", CartId).pipe(Argument.withDescription("Id of the cart in Parley, not in the shop")),
    json: Flags.json
  },
  Effect.fn(function* ({ id, json, org }) {
    yield* inTenant(org, ({ commerce }) =>
      Effect.flatMap(commerce.getCart({ params: { id } }), (found) => printOne(cartView, { json }, found))
    )
  })
).pipe(Command.withDescription("Show a cart; --json adds lines"))

const customer = typedArgument("customer", StoreCustomerId).pipe(
  Argument.withDescription("Id of the customer in Parley, not in the shop")
)

export const customerCommand = Command.make(
  "customer",
  { org: Flags.org, id: customer, json: Flags.json },
  Effect.fn(function* ({ id, json, org }) {
    yield* inTenant(org, ({ commerce }) =>
      Effect.flatMap(commerce.getCustomer({ params: { id } }), (found) => printOne(customerView, { json }, found))
    )
  })
).pipe(Command.withDescription("Show a customer of a store with its contact"))

export const productCommand = Command.make(
  "product",
  {
    org: Flags.org,
    id: typedArgument("product", ProductId).pipe(
      Argument.withDescription("Id of the product in Parley, not in the shop")
    ),
    json: Flags.json
  },
  Effect.fn(function* ({ id, json, org }) {
    yield* inTenant(org, ({ commerce }) =>
      Effect.flatMap(commerce.getProduct({ params: { id } }), (found) => printOne(productView, { json }, found))
    )
  })
).pipe(Command.withDescription("Show a product; --json adds variants"))

export const linkCommand = Command.make(
  "link",
  {
    org: Flags.org,
    id: customer,
    contact: typedFlag("contact", ContactId).pipe(
      Flag.withDescription("Id of the contact of the customer"),
      Flag.optional
    ),
    nobody: Flag.Boolean("nobody").pipe(Flag.withDescription("The customer has no contact"), Flag.withDefault(false)),
    json: Flags.json,
    quiet: Flags.quiet
  },
  Effect.fn(function* ({ contact, id, json, nobody, org, quiet }) {
    if (Option.isSome(contact) === nobody) {
      return yield* new WrongUsage({ message: "Specify the contact: --contact with an id, or --nobody." })
    }
    yield* inTenant(org, ({ commerce }) =>
      Effect.flatMap(
        commerce.linkCustomer({ params: { id }, payload: { contactId: Option.getOrNull(contact) } }),
        (linked) => printOne(customerView, { json, quiet }, linked)
      )
    )
  })
).pipe(Command.withDescription("Set the contact of a store customer permanently"))

const encode = Schema.encodeSync(ContactCommerce)

export const commerceCommand = Command.make(
  "commerce",
  {
    org: Flags.org,
    contact: typedFlag("contact", ContactId).pipe(Flag.withDescription("Id of the contact"), Flag.optional),
    conversation: typedFlag("conversation", ConversationId).pipe(
      Flag.withDescription("Id of a conversation with the contact"),
      Flag.optional
    ),
    json: Flags.json
  },
  Effect.fn(function* ({ contact, conversation, json, org }) {
    if (Option.isSome(contact) === Option.isSome(conversation)) {
      return yield* new WrongUsage({ message: "Specify --contact or --conversation with an id." })
    }
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ commerce }) {
        const found = Option.isSome(contact)
          ? yield* commerce.ofContact({ params: { id: contact.value }, query: {} })
          : yield* commerce.ofConversation({ params: { id: Option.getOrThrow(conversation) }, query: {} })
        if (json) return yield* printJson(encode(found))
        for (const { orderCount, spent } of found.lifetime) {
          yield* Console.log(`${orderCount} orders, ${amountText(spent)} spent`)
        }
        yield* printRows(orderView, {}, found.orders, false, ({ id }) => id)
        yield* printRows(cartView, {}, found.carts, false, ({ id }) => id)
        for (const { freshness, name, status } of found.stores) {
          yield* Console.error(`${name}: ${status}, ${freshness.state}`)
        }
      })
    )
  })
).pipe(Command.withDescription("Show the orders and carts of a contact in all stores"))
