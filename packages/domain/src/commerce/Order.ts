import { Context, type DateTime, Effect, Layer, Schema } from "effect"
import { ContactId } from "../crm/index.ts"
import {
  Money,
  type NotFound,
  type Slice,
  type TenantScoped,
  Timestamp,
  type Transaction,
  objectShownWith
} from "../kernel/index.ts"
import { OrderId, ProductId, type RefundId, StoreConnectionId, StoreCustomerId } from "./Ids.ts"
import type { OrderQuery } from "./orderSearch.ts"
import { Fulfilment, LineRecord, OrderRecord } from "./shopRecords.ts"

const { externalProductId: _, ...lineFields } = LineRecord.fields

/** A quantity of one product. */
export const StoreLine = Schema.Struct({
  /** `null` for an unknown product. */
  productId: Schema.NullOr(ProductId),
  ...lineFields
}).annotate({ identifier: "StoreLine" })
export type StoreLine = typeof StoreLine.Type

/** Money that a store has refunded. */
export const Refund = Schema.Struct({ amount: Money, at: Timestamp }).annotate({ identifier: "Refund" })
export type Refund = typeof Refund.Type

const {
  adminUrl,
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
    adminUrl,
    lines: Schema.Array(StoreLine),
    fulfilments: Schema.Array(Fulfilment),
    refunds: Schema.Array(Refund),
    truncated,
    createdAt: Timestamp,
    updatedAt: Timestamp
  },
  objectShownWith("commerce.read")
) {}

/** Change of the gross amount of an order from a time on. */
export const GrossChange = Schema.Struct({ amountMinor: Schema.Int, at: Timestamp })
export type GrossChange = typeof GrossChange.Type

/** An order as stored. It refers to other records by the ids of the shop. */
export interface StoredOrder {
  readonly id: OrderId
  readonly storeConnectionId: StoreConnectionId
  readonly contactId: ContactId | null
  readonly record: OrderRecord
  /** Ids of its refunds, in the same order. */
  readonly refundIds: ReadonlyArray<RefundId>
  /** First the amount at placement, then the change of each edit. Empty for an order that was deleted before its first report. */
  readonly gross: ReadonlyArray<GrossChange>
  /** When the shop deleted it. A deleted order no longer counts, and no later report restores it. */
  readonly deletedAt: Timestamp | null
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}

export interface PlacedOrder {
  readonly id: OrderId
  readonly checkoutToken: string
  readonly placedAt: DateTime.Utc
}

/** Buyers whose orders are searched. */
export interface BuyerRefs {
  readonly contactIds: ReadonlyArray<ContactId>
  readonly externalCustomerIds: ReadonlyArray<string>
}

/** Orders by their ids in a shop, and all orders of these customers of the shop. */
export interface ShopOrderRefs {
  readonly externalIds: ReadonlyArray<string>
  readonly externalCustomerIds: ReadonlyArray<string>
}

/** Time of the last order of a contact in any store, or of a customer in one store. */
export interface LastOrder {
  readonly contactId: ContactId | null
  readonly externalCustomerId: string | null
  readonly placedAt: DateTime.Utc
}

/** The orders of the organization's stores. Only the `lock` methods return deleted orders. */
export class StoreOrders extends Context.Service<
  StoreOrders,
  TenantScoped<{
    readonly get: (id: OrderId) => Effect.Effect<StoredOrder, NotFound>
    /** In the requested order. The row key is `orderCursorKey`. */
    readonly list: (query: OrderQuery, slice: Slice) => Effect.Effect<ReadonlyArray<StoredOrder>>
    /** Returns up to 20 words of product titles and customer names that resemble this one. Dissimilar words can be among them. */
    readonly wordsLike: (word: string) => Effect.Effect<ReadonlyArray<string>>
    /** Orders that were placed from these carts of a store, unordered. */
    readonly placedFrom: (
      storeConnectionId: StoreConnectionId,
      tokens: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<PlacedOrder>>
    /** Last order times of these contacts and of these customers of a store, unordered. Test orders do not count. */
    readonly lastPlaced: (
      storeConnectionId: StoreConnectionId,
      buyers: BuyerRefs
    ) => Effect.Effect<ReadonlyArray<LastOrder>>
    /** Locks these orders of a store for a change, until the unit of work ends. Unordered. */
    readonly lock: (
      storeConnectionId: StoreConnectionId,
      externalIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<StoredOrder>, never, Transaction>
    /** At most `limit` of these orders of a store, in id order. */
    readonly referenced: (
      storeConnectionId: StoreConnectionId,
      refs: ShopOrderRefs,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoredOrder>>
    readonly countReferenced: (storeConnectionId: StoreConnectionId, refs: ShopOrderRefs) => Effect.Effect<number>
    /** Locks these orders of a store for a change, in id order. */
    readonly lockReferenced: (
      storeConnectionId: StoreConnectionId,
      refs: ShopOrderRefs
    ) => Effect.Effect<ReadonlyArray<StoredOrder>, never, Transaction>
    /** Locks up to `limit` orders of a store, in any state, and returns their ids. */
    readonly lockSome: (
      storeConnectionId: StoreConnectionId,
      limit: number
    ) => Effect.Effect<ReadonlyArray<OrderId>, never, Transaction>
    readonly remove: (ids: ReadonlyArray<OrderId>) => Effect.Effect<void, never, Transaction>
    readonly put: (orders: ReadonlyArray<StoredOrder>) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/commerce/StoreOrders") {}

/** Hook of an area above that stores data of orders. Both functions run in the unit of work of the change, after the orders are locked. */
export class OrderLifecycleHook extends Context.Service<
  OrderLifecycleHook,
  TenantScoped<{
    /** Runs before orders lose their contact, because the contact is erased. */
    readonly release: (ids: ReadonlyArray<OrderId>) => Effect.Effect<void, never, Transaction>
    /** Runs before orders are deleted. */
    readonly remove: (ids: ReadonlyArray<OrderId>) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/commerce/OrderLifecycleHook") {
  /** No area stores data of orders. */
  static readonly layerNone = Layer.succeed(OrderLifecycleHook, {
    release: () => Effect.void,
    remove: () => Effect.void
  })
}
