import { CartId, ContactId, OrderId, ProductId, StoreCustomerId } from "@parley/domain"
import { WrongUsage } from "@parley/service/configuration"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { printOne } from "../console/print.ts"
import { typedArgument, typedFlag } from "../console/typed.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { cartView, customerView, orderView, productView } from "./records.ts"

/** Shows an order. */
export const orderCommand = Command.make(
  "order",
  { org: Flags.org, id: typedArgument("order", OrderId), json: Flags.json },
  Effect.fn(function* ({ id, json, org }) {
    yield* inTenant(org, ({ commerce }) =>
      Effect.flatMap(commerce.getOrder({ params: { id } }), (found) => printOne(orderView, { json }, found))
    )
  })
).pipe(Command.withDescription("Show an order; its lines and parcels with --json"))

/** Shows a cart. */
export const cartCommand = Command.make(
  "cart",
  { org: Flags.org, id: typedArgument("cart", CartId), json: Flags.json },
  Effect.fn(function* ({ id, json, org }) {
    yield* inTenant(org, ({ commerce }) =>
      Effect.flatMap(commerce.getCart({ params: { id } }), (found) => printOne(cartView, { json }, found))
    )
  })
).pipe(Command.withDescription("Show a cart; its lines with --json"))

const customer = typedArgument("customer", StoreCustomerId).pipe(
  Argument.withDescription("The id of the customer, not that in the shop")
)

/** Shows a customer. */
export const customerCommand = Command.make(
  "customer",
  { org: Flags.org, id: customer, json: Flags.json },
  Effect.fn(function* ({ id, json, org }) {
    yield* inTenant(org, ({ commerce }) =>
      Effect.flatMap(commerce.getCustomer({ params: { id } }), (found) => printOne(customerView, { json }, found))
    )
  })
).pipe(Command.withDescription("Show a customer of a store, and which contact it is"))

/** Shows a product. */
export const productCommand = Command.make(
  "product",
  { org: Flags.org, id: typedArgument("product", ProductId), json: Flags.json },
  Effect.fn(function* ({ id, json, org }) {
    yield* inTenant(org, ({ commerce }) =>
      Effect.flatMap(commerce.getProduct({ params: { id } }), (found) => printOne(productView, { json }, found))
    )
  })
).pipe(Command.withDescription("Show a product; its variants with --json"))

/** Says which contact a customer is. */
export const linkCommand = Command.make(
  "link",
  {
    org: Flags.org,
    id: customer,
    contact: typedFlag("contact", ContactId).pipe(
      Flag.withDescription("The id of the contact that the customer is"),
      Flag.optional
    ),
    nobody: Flag.Boolean("nobody").pipe(
      Flag.withDescription("Say that the customer is no contact"),
      Flag.withDefault(false)
    ),
    json: Flags.json,
    quiet: Flags.quiet
  },
  Effect.fn(function* ({ contact, id, json, nobody, org, quiet }) {
    if (Option.isSome(contact) === nobody) {
      return yield* new WrongUsage({ message: "Say who the customer is: --contact and an id, or --nobody." })
    }
    yield* inTenant(org, ({ commerce }) =>
      Effect.flatMap(
        commerce.linkCustomer({ params: { id }, payload: { contactId: Option.getOrNull(contact) } }),
        (linked) => printOne(customerView, { json, quiet }, linked)
      )
    )
  })
).pipe(Command.withDescription("Say which contact a customer of a store is; no rule undoes it"))
