import { Context, type DateTime, Effect, Layer, Schema } from "effect"
import { ContactId } from "../crm/index.ts"
import {
  Money,
  type NotFound,
  type Slice,
  type Tenancy,
  type TenantScoped,
  Timestamp,
  type Transaction,
  objectShownWith,
  withContext
} from "../kernel/index.ts"
import { type CommerceQuery, OrderId, ProductId, type RefundId, StoreConnectionId, StoreCustomerId } from "./Ids.ts"
import { Fulfilment, type FulfilmentStatus, LineRecord, OrderRecord, type PaymentStatus } from "./shopRecords.ts"

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
  objectShownWith("commerce.read")
) {}

/** By how much an order comes to more, or less, from a time on. */
export const GrossChange = Schema.Struct({ amountMinor: Schema.Int, at: Timestamp })
export type GrossChange = typeof GrossChange.Type

/** An order as it is kept: what it refers to stands in it by the shop's ids. */
export interface StoredOrder {
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

/** Which orders to list; `null` is any. */
export interface OrderQuery extends CommerceQuery {
  readonly paymentStatus: PaymentStatus | null
  readonly fulfilmentStatus: FulfilmentStatus | null
}

/** An order that was placed from a cart. */
export interface PlacedOrder {
  readonly id: OrderId
  readonly checkoutToken: string
  readonly placedAt: DateTime.Utc
}

/** Whose orders are looked for. */
export interface BuyerRefs {
  readonly contactIds: ReadonlyArray<ContactId>
  readonly externalCustomerIds: ReadonlyArray<string>
}

/** When somebody has ordered last: a contact in any store, or a customer of the one. */
export interface LastOrder {
  readonly contactId: ContactId | null
  readonly externalCustomerId: string | null
  readonly placedAt: DateTime.Utc
}

/** The orders of the organization's stores. Those that are deleted are found by `lock` only. */
export class StoreOrders extends Context.Service<
  StoreOrders,
  TenantScoped<{
    readonly get: (id: OrderId) => Effect.Effect<StoredOrder, NotFound>
    /** Newest first; the key of a row is its id. */
    readonly list: (query: OrderQuery, slice: Slice) => Effect.Effect<ReadonlyArray<StoredOrder>>
    /** Those that were placed from these carts of a store, in no order. */
    readonly placedFrom: (
      storeConnectionId: StoreConnectionId,
      tokens: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<PlacedOrder>>
    /** When these contacts, and these customers of a store, have ordered last, in no order; test orders are none. */
    readonly lastPlaced: (
      storeConnectionId: StoreConnectionId,
      buyers: BuyerRefs
    ) => Effect.Effect<ReadonlyArray<LastOrder>>
    /** Reads these orders of a store to change them: others who do wait until this unit of work ends. In no order. */
    readonly lock: (
      storeConnectionId: StoreConnectionId,
      externalIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<StoredOrder>, never, Transaction>
    /** As `lock`, those of a customer of the shop. */
    readonly lockOfCustomer: (
      storeConnectionId: StoreConnectionId,
      externalCustomerId: string
    ) => Effect.Effect<ReadonlyArray<StoredOrder>, never, Transaction>
    /** Locks up to so many orders of a store, whatever became of them, and says which. */
    readonly lockSome: (
      storeConnectionId: StoreConnectionId,
      limit: number
    ) => Effect.Effect<ReadonlyArray<OrderId>, never, Transaction>
    readonly remove: (ids: ReadonlyArray<OrderId>) => Effect.Effect<void, never, Transaction>
    /** Stores new and changed orders. */
    readonly put: (orders: ReadonlyArray<StoredOrder>) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/commerce/StoreOrders") {}

/** What another area holds of orders, and what becomes of it. Both run in the unit of work of the change, once the orders are locked. */
export interface OrderLifecycleHook<R> {
  /** Before orders become nobody's, because the person is forgotten who has placed them. */
  readonly release: (ids: ReadonlyArray<OrderId>) => Effect.Effect<void, never, R | Tenancy | Transaction>
  /** Before orders go. */
  readonly remove: (ids: ReadonlyArray<OrderId>) => Effect.Effect<void, never, R | Tenancy | Transaction>
}

/** What areas hold of the organization's orders. */
export class OrderLifecycleHooks extends Context.Service<
  OrderLifecycleHooks,
  TenantScoped<{
    readonly release: (ids: ReadonlyArray<OrderId>) => Effect.Effect<void, never, Transaction>
    readonly remove: (ids: ReadonlyArray<OrderId>) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/commerce/OrderLifecycleHooks") {}

type Needs<Holding> = Holding extends OrderLifecycleHook<infer R> ? Exclude<R, Tenancy | Transaction> : never

/** Puts together what the areas hold of orders. They come one after the other, so that locks are taken in one order. */
export const layerOrderLifecycleHooks = <Holding extends OrderLifecycleHook<unknown>>(
  holdings: ReadonlyArray<Holding>
): Layer.Layer<OrderLifecycleHooks, never, Needs<Holding>> =>
  Layer.effect(
    OrderLifecycleHooks,
    Effect.contextWith((outside: Context.Context<Needs<Holding>>) => {
      const supply = withContext<Tenancy | Transaction>(outside)
      const each = (does: (holding: OrderLifecycleHook<unknown>) => Effect.Effect<void, never, unknown>) =>
        Effect.forEach(holdings, (holding) => supply(does(holding)), { discard: true })
      return Effect.succeed(
        OrderLifecycleHooks.of({
          release: (ids) => (ids.length === 0 ? Effect.void : each((holding) => holding.release(ids))),
          remove: (ids) => (ids.length === 0 ? Effect.void : each((holding) => holding.remove(ids)))
        })
      )
    })
  )
