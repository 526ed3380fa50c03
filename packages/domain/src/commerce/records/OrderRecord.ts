import { Schema } from "effect"
import { Money, Timestamp } from "../../kernel/index.ts"
import { LineRecord } from "./LineRecord.ts"

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
