import { Context, type DateTime, type Effect } from "effect"
import type { NotFound, Slice, TenantScoped, Transaction } from "../kernel/index.ts"
import type { ContactId } from "../crm/index.ts"
import type { CommerceQuery } from "./commerce/CommerceQuery.ts"
import type { OrderId, StoreConnectionId } from "./Ids.ts"
import type { KeptOrder } from "./Order.ts"
import type { FulfilmentStatus, PaymentStatus } from "./records/OrderRecord.ts"

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
export interface Buyers {
  readonly contactIds: ReadonlyArray<ContactId>
  readonly externalCustomerIds: ReadonlyArray<string>
}

/** When somebody has ordered last: a contact in any store, or a customer of the one. */
export interface LastPlaced {
  readonly contactId: ContactId | null
  readonly externalCustomerId: string | null
  readonly placedAt: DateTime.Utc
}

/** The orders of the organization's stores. Those that are deleted are found by `lock` only. */
export class StoreOrders extends Context.Service<
  StoreOrders,
  TenantScoped<{
    readonly get: (id: OrderId) => Effect.Effect<KeptOrder, NotFound>
    /** Newest first; the key of a row is its id. */
    readonly list: (query: OrderQuery, slice: Slice) => Effect.Effect<ReadonlyArray<KeptOrder>>
    /** Those that were placed from these carts of a store, in no order. */
    readonly placedFrom: (
      storeConnectionId: StoreConnectionId,
      tokens: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<PlacedOrder>>
    /** When these contacts, and these customers of a store, have ordered last, in no order; test orders are none. */
    readonly lastPlaced: (
      storeConnectionId: StoreConnectionId,
      buyers: Buyers
    ) => Effect.Effect<ReadonlyArray<LastPlaced>>
    /** Reads these orders of a store to change them: others who do wait until this unit of work ends. In no order. */
    readonly lock: (
      storeConnectionId: StoreConnectionId,
      externalIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<KeptOrder>, never, Transaction>
    /** As `lock`, those of a customer of the shop. */
    readonly lockOfCustomer: (
      storeConnectionId: StoreConnectionId,
      externalCustomerId: string
    ) => Effect.Effect<ReadonlyArray<KeptOrder>, never, Transaction>
    /** Locks up to so many orders of a store, whatever became of them, and says which. */
    readonly lockSome: (
      storeConnectionId: StoreConnectionId,
      limit: number
    ) => Effect.Effect<ReadonlyArray<OrderId>, never, Transaction>
    readonly remove: (ids: ReadonlyArray<OrderId>) => Effect.Effect<void, never, Transaction>
    /** Stores new and changed orders. */
    readonly put: (orders: ReadonlyArray<KeptOrder>) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/commerce/StoreOrders") {}
