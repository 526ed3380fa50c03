import { Schema } from "effect"
import { ConsentState } from "../crm/index.ts"
import { Money, Timestamp } from "../kernel/index.ts"

/** A quantity of one product in an order or in a cart. */
export const LineRecord = Schema.Struct({
  externalProductId: Schema.NullOr(Schema.String),
  externalVariantId: Schema.NullOr(Schema.String),
  sku: Schema.NullOr(Schema.String),
  title: Schema.String,
  variantTitle: Schema.NullOr(Schema.String),
  /** Image at the provider; `null` if the item has none. */
  imageUrl: Schema.NullOr(Schema.String),
  quantity: Schema.Int,
  /** Quantity left after edits and returns. */
  currentQuantity: Schema.Int,
  unitPrice: Money,
  discount: Money
})
export type LineRecord = typeof LineRecord.Type

/** Payment status of an order. */
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

/** Fulfilment status of an order. */
export const FulfilmentStatus = Schema.Literals(["unfulfilled", "partial", "fulfilled", "other"])
export type FulfilmentStatus = typeof FulfilmentStatus.Type

/** Delivery status of a parcel. */
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

/** Money that a shop has refunded. */
export const RefundRecord = Schema.Struct({ externalId: Schema.String, amount: Money, at: Timestamp })
export type RefundRecord = typeof RefundRecord.Type

/** An order as the shop reports it. */
export const OrderRecord = Schema.Struct({
  externalId: Schema.String,
  name: Schema.String,
  /** `null` for a guest. */
  externalCustomerId: Schema.NullOr(Schema.String),
  /** In the format of the shop. */
  phone: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  /** The cart that it was placed from. */
  checkoutToken: Schema.NullOr(Schema.String),
  placedAt: Timestamp,
  cancelledAt: Schema.NullOr(Timestamp),
  test: Schema.Boolean,
  paymentStatus: PaymentStatus,
  fulfilmentStatus: FulfilmentStatus,
  /** Total at placement. */
  total: Money,
  /** Total after edits and returns. */
  currentTotal: Money,
  tax: Money,
  shipping: Money,
  discount: Money,
  paid: Money,
  refunded: Money,
  /** In the currency that the customer saw. */
  presentmentTotal: Money,
  statusUrl: Schema.NullOr(Schema.String),
  /** Page of the order in the admin of the shop, for members with access to it. */
  adminUrl: Schema.NullOr(Schema.String),
  lines: Schema.Array(LineRecord),
  fulfilments: Schema.Array(Fulfilment),
  refunds: Schema.Array(RefundRecord),
  /** Whether the shop has more data of the order than it returned. */
  truncated: Schema.Boolean,
  updatedAt: Timestamp
})
export type OrderRecord = typeof OrderRecord.Type

/** A cart as the shop reports it. */
export const CartRecord = Schema.Struct({
  /** The token in reports without the id of the cart. */
  externalId: Schema.String,
  /** Token that an order from this cart contains. */
  token: Schema.NullOr(Schema.String),
  externalCustomerId: Schema.NullOr(Schema.String),
  /** In the format of the shop. */
  phone: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  lines: Schema.Array(LineRecord),
  total: Money,
  recoveryUrl: Schema.NullOr(Schema.String),
  completedAt: Schema.NullOr(Timestamp),
  updatedAt: Timestamp
})
export type CartRecord = typeof CartRecord.Type

/** Marketing consent that a customer gave in the shop, and its time; `null` if the shop does not report it. */
export const ShopConsent = Schema.Struct({ state: ConsentState, at: Schema.NullOr(Timestamp) })
export type ShopConsent = typeof ShopConsent.Type

/** A customer as the shop reports it. */
export const CustomerRecord = Schema.Struct({
  externalId: Schema.String,
  name: Schema.NullOr(Schema.String),
  /** In the format of the shop: first the number of the customer, then the number of the default address. */
  phones: Schema.Array(Schema.String),
  email: Schema.NullOr(Schema.String),
  locale: Schema.NullOr(Schema.String),
  tags: Schema.Array(Schema.String),
  smsConsent: ShopConsent,
  /** Consent to marketing in the chat, which the shop can collect apart from SMS. */
  chatConsent: ShopConsent,
  emailConsent: ShopConsent,
  updatedAt: Timestamp
})
export type CustomerRecord = typeof CustomerRecord.Type

/** A variant of a product. */
export const ProductVariant = Schema.Struct({
  externalId: Schema.String,
  title: Schema.String,
  sku: Schema.NullOr(Schema.String),
  price: Money,
  available: Schema.Boolean
}).annotate({ identifier: "ProductVariant" })
export type ProductVariant = typeof ProductVariant.Type

/** A product as the shop reports it. */
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
