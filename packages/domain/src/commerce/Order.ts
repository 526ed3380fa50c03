import { Schema } from "effect"
import { ContactId } from "../crm/index.ts"
import { Money, Timestamp, wholeShownWith } from "../kernel/index.ts"
import { OrderId, ProductId, type RefundId, StoreConnectionId, StoreCustomerId } from "./Ids.ts"
import { LineRecord } from "./records/LineRecord.ts"
import { Fulfilment, OrderRecord } from "./records/OrderRecord.ts"

const { externalProductId: _, ...lineFields } = LineRecord.fields

/** So many of one thing. */
export const StoreLine = Schema.Struct({
  /** `null` for what is no product that is known here. */
  productId: Schema.NullOr(ProductId),
  ...lineFields
}).annotate({ identifier: "StoreLine" })
export type StoreLine = typeof StoreLine.Type

/** Money that a store has given back. */
export const Refund = Schema.Struct({ amount: Money, at: Timestamp }).annotate({ identifier: "Refund" })
export type Refund = typeof Refund.Type

const {
  cancelledAt,
  currentTotal,
  discount,
  fulfilmentStatus,
  name,
  paid,
  paymentStatus,
  placedAt,
  presentmentTotal,
  refunded,
  shipping,
  statusUrl,
  tax,
  test,
  total,
  truncated
} = OrderRecord.fields

/** An order of a store. */
export class Order extends Schema.Class<Order>("Order")(
  {
    id: OrderId,
    storeConnectionId: StoreConnectionId,
    externalId: Schema.String,
    name,
    customerId: Schema.NullOr(StoreCustomerId),
    contactId: Schema.NullOr(ContactId),
    placedAt,
    cancelledAt,
    test,
    paymentStatus,
    fulfilmentStatus,
    total,
    currentTotal,
    tax,
    shipping,
    discount,
    paid,
    refunded,
    presentmentTotal,
    statusUrl,
    lines: Schema.Array(StoreLine),
    fulfilments: Schema.Array(Fulfilment),
    refunds: Schema.Array(Refund),
    truncated,
    createdAt: Timestamp,
    updatedAt: Timestamp
  },
  wholeShownWith("commerce.read")
) {}

/** By how much an order comes to more, or less, from a time on. */
export const GrossChange = Schema.Struct({ amountMinor: Schema.Int, at: Timestamp })
export type GrossChange = typeof GrossChange.Type

/** An order as it is kept: what it refers to stands in it by the shop's ids. */
export interface KeptOrder {
  readonly id: OrderId
  readonly storeConnectionId: StoreConnectionId
  readonly contactId: ContactId | null
  readonly record: OrderRecord
  /** The ids of its refunds, in their order. */
  readonly refundIds: ReadonlyArray<RefundId>
  /** What it came to when it was placed, then by how much each edit has changed that; nothing of one that was gone before it was told. */
  readonly gross: ReadonlyArray<GrossChange>
  /** It is gone at the shop: it counts no more, and nothing that the shop says brings it back. */
  readonly deletedAt: Timestamp | null
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}
