import { Schema } from "effect"

const { optionalKey } = Schema
const Text = Schema.NullOr(Schema.String)
const ConsentState = Schema.Literals(["SUBSCRIBED", "UNSUBSCRIBED", "NOT_SUBSCRIBED", "PENDING"])

const of = <Kind extends string, Fields extends Schema.Struct.Fields>(kind: Kind, fields: Fields) =>
  Schema.Struct({ kind: Schema.Literal(kind), shop: Schema.String, ...fields })

/** Quantity of a product of the shop. Default: its first variant. */
const Item = Schema.Struct({
  product: Schema.Int,
  variant: optionalKey(Schema.Int),
  quantity: optionalKey(Schema.Int)
})

const person = {
  firstName: optionalKey(Text),
  lastName: optionalKey(Text),
  phone: optionalKey(Text),
  addressPhone: optionalKey(Text),
  email: optionalKey(Text),
  locale: optionalKey(Schema.String),
  tags: optionalKey(Schema.Array(Schema.String)),
  sms: optionalKey(ConsentState),
  whatsApp: optionalKey(ConsentState),
  emails: optionalKey(ConsentState)
}

/** Buyer: a customer of the shop, or a guest with a phone number, an email address or neither. */
const buyer = { customer: optionalKey(Schema.Int), phone: optionalKey(Text), email: optionalKey(Text) }
const items = optionalKey(Schema.Array(Item))

/** Action in a shop or of its provider. Subscribers receive webhooks. */
export const Action = Schema.Union([
  of("add_customer", person),
  of("change_customer", { customer: Schema.Int, ...person }),
  of("delete_customer", { customer: Schema.Int }),
  /** Merges two customers. Default: completed. A failed merge changes nothing. */
  of("merge_customers", {
    kept: Schema.Int,
    merged: Schema.Int,
    status: optionalKey(Schema.Literals(["completed", "failed"]))
  }),
  of("buy", {
    ...buyer,
    items,
    paid: optionalKey(Schema.Boolean),
    test: optionalKey(Schema.Boolean),
    checkout: optionalKey(Schema.Int),
    presentment: optionalKey(Schema.Struct({ currency: Schema.String, total: Schema.Int }))
  }),
  of("pay", { order: Schema.Int }),
  of("fulfil", {
    order: Schema.Int,
    status: optionalKey(Schema.Literals(["CONFIRMED", "IN_TRANSIT", "DELIVERED", "FAILURE"])),
    /** Whether items are left to be sent. Default: no. */
    partial: optionalKey(Schema.Boolean)
  }),
  /** Refunds the order. Default: the full amount. Returned items leave the order. */
  of("refund", { order: Schema.Int, amount: optionalKey(Schema.Int), returned: optionalKey(Schema.Boolean) }),
  of("cancel", { order: Schema.Int }),
  /** Takes the last line out of the order. */
  of("edit", { order: Schema.Int }),
  of("delete_order", { order: Schema.Int }),
  /** `ago`: age of the checkout in seconds, for abandoned carts. */
  of("begin_checkout", { ...buyer, items, ago: optionalKey(Schema.Int) }),
  of("change_checkout", { checkout: Schema.Int, items }),
  of("delete_checkout", { checkout: Schema.Int }),
  of("add_product", { title: Schema.String, price: Schema.Int, variants: optionalKey(Schema.Int) }),
  of("change_product", {
    product: Schema.Int,
    title: optionalKey(Schema.String),
    price: optionalKey(Schema.Int),
    status: optionalKey(Schema.Literals(["ACTIVE", "ARCHIVED", "DRAFT", "UNLISTED"]))
  }),
  of("delete_product", { product: Schema.Int }),
  /** Makes the change time of a record unreadable from now on; `repaired` makes it readable again. */
  of("corrupt", {
    collection: Schema.Literals(["customers", "orders", "products", "abandonedCheckouts"]),
    id: Schema.Int,
    repaired: optionalKey(Schema.Boolean)
  }),
  of("rename", { to: Schema.String, name: optionalKey(Schema.String) }),
  of("uninstall", {}),
  of("change_scopes", { scopes: Schema.Array(Schema.String) }),
  /** The provider approves all personal fields for the app but these. */
  of("protect", { fields: Schema.Array(Schema.Literals(["name", "phone", "email", "address", "customer"])) }),
  /** The shop is frozen (402) or locked (423), or open again. */
  of("close", { status: Schema.NullOr(Schema.Literals([402, 423])) }),
  of("request_data", { customer: Schema.Int }),
  of("redact_customer", { customer: Schema.Int }),
  of("redact_shop", {})
])
export type Action = typeof Action.Type
