import { Schema } from "effect"
import { ConsentState } from "../crm/index.ts"
import { Money, Timestamp } from "../kernel/index.ts"

/** So many of one thing, in an order or in a cart. */
export const LineRecord = Schema.Struct({
  externalProductId: Schema.NullOr(Schema.String),
  externalVariantId: Schema.NullOr(Schema.String),
  sku: Schema.NullOr(Schema.String),
  title: Schema.String,
  variantTitle: Schema.NullOr(Schema.String),
  quantity: Schema.Int,
  /** What is left of it after edits and returns. */
  currentQuantity: Schema.Int,
  unitPrice: Money,
  discount: Money
})
export type LineRecord = typeof LineRecord.Type

/** How far an order is paid. */
export const PaymentStatus = Schema.Literals([
  "pending",
  "authorized",
  "partially_paid",
  "paid",
  "partially_refunded",
  "refunded",
  "voided",
  "expired"
])
export type PaymentStatus = typeof PaymentStatus.Type

/** How far an order has left the shop. */
export const FulfilmentStatus = Schema.Literals(["unfulfilled", "partial", "fulfilled", "other"])
export type FulfilmentStatus = typeof FulfilmentStatus.Type

/** Where a parcel is. */
export const ParcelStatus = Schema.Literals(["pending", "in_transit", "delivered", "failed"])
export type ParcelStatus = typeof ParcelStatus.Type

/** A parcel of an order. */
export const Fulfilment = Schema.Struct({
  status: ParcelStatus,
  carrier: Schema.NullOr(Schema.String),
  trackingNumber: Schema.NullOr(Schema.String),
  trackingUrl: Schema.NullOr(Schema.String),
  at: Timestamp
}).annotate({ identifier: "Fulfilment" })
export type Fulfilment = typeof Fulfilment.Type

/** Money that a shop has given back. */
export const RefundRecord = Schema.Struct({ externalId: Schema.String, amount: Money, at: Timestamp })
export type RefundRecord = typeof RefundRecord.Type

/** An order as a shop knows it. */
export const OrderRecord = Schema.Struct({
  externalId: Schema.String,
  name: Schema.String,
  /** `null` for a guest's. */
  externalCustomerId: Schema.NullOr(Schema.String),
  /** As the shop writes it. */
  phone: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  /** The cart that it was placed from. */
  checkoutToken: Schema.NullOr(Schema.String),
  placedAt: Timestamp,
  cancelledAt: Schema.NullOr(Timestamp),
  test: Schema.Boolean,
  paymentStatus: PaymentStatus,
  fulfilmentStatus: FulfilmentStatus,
  /** As it was placed. */
  total: Money,
  /** After edits and returns. */
  currentTotal: Money,
  tax: Money,
  shipping: Money,
  discount: Money,
  paid: Money,
  refunded: Money,
  /** In the currency that the customer saw. */
  presentmentTotal: Money,
  statusUrl: Schema.NullOr(Schema.String),
  lines: Schema.Array(LineRecord),
  fulfilments: Schema.Array(Fulfilment),
  refunds: Schema.Array(RefundRecord),
  /** Whether the shop has more of it than it gave. */
  truncated: Schema.Boolean,
  updatedAt: Timestamp
})
export type OrderRecord = typeof OrderRecord.Type

/** A cart as a shop knows it. */
export const CartRecord = Schema.Struct({
  externalId: Schema.String,
  /** What the order that is placed from it names. */
  token: Schema.NullOr(Schema.String),
  externalCustomerId: Schema.NullOr(Schema.String),
  /** As the shop writes it. */
  phone: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  lines: Schema.Array(LineRecord),
  total: Money,
  recoveryUrl: Schema.NullOr(Schema.String),
  completedAt: Schema.NullOr(Timestamp),
  updatedAt: Timestamp
})
export type CartRecord = typeof CartRecord.Type

/** What a customer has told the shop about messages, and when; `null` where the shop does not say. */
export const ShopConsent = Schema.Struct({ state: ConsentState, at: Schema.NullOr(Timestamp) })
export type ShopConsent = typeof ShopConsent.Type

/** A customer as a shop knows it. */
export const CustomerRecord = Schema.Struct({
  externalId: Schema.String,
  name: Schema.NullOr(Schema.String),
  /** As the shop writes them: the customer's own first, then that of the default address. */
  phones: Schema.Array(Schema.String),
  email: Schema.NullOr(Schema.String),
  locale: Schema.NullOr(Schema.String),
  tags: Schema.Array(Schema.String),
  smsConsent: ShopConsent,
  emailConsent: ShopConsent,
  updatedAt: Timestamp
})
export type CustomerRecord = typeof CustomerRecord.Type

/** One way in which a product is sold. */
export const ProductVariant = Schema.Struct({
  externalId: Schema.String,
  title: Schema.String,
  sku: Schema.NullOr(Schema.String),
  price: Money,
  available: Schema.Boolean
}).annotate({ identifier: "ProductVariant" })
export type ProductVariant = typeof ProductVariant.Type

/** A product as a shop knows it. */
export const ProductRecord = Schema.Struct({
  externalId: Schema.String,
  title: Schema.String,
  status: Schema.Literals(["active", "draft", "archived"]),
  url: Schema.NullOr(Schema.String),
  imageUrl: Schema.NullOr(Schema.String),
  variants: Schema.Array(ProductVariant),
  updatedAt: Timestamp
})
export type ProductRecord = typeof ProductRecord.Type
