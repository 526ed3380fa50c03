import { Context, type Effect, Schema } from "effect"
import { ContactId } from "../crm/index.ts"
import {
  Currency,
  Money,
  type NotFound,
  type Slice,
  type TenantScoped,
  Timestamp,
  type Transaction,
  objectShownWith
} from "../kernel/index.ts"
import type { ConversationId } from "../messaging/inbox/index.ts"
import { Cart, CartState, type StoredCart } from "./Cart.ts"
import {
  CartId,
  type KnownRef,
  OrderId,
  type ProductId,
  RefundId,
  StoreConnectionId,
  type StoreCustomerId
} from "./Ids.ts"
import { type StoredOrder, Order } from "./Order.ts"
import { Freshness, type StoreConnection, StoreConnectionStatus } from "./StoreConnection.ts"
import { type StoredCustomer, StoreCustomer } from "./StoreCustomer.ts"
import { FulfilmentStatus, PaymentStatus } from "./shopRecords.ts"

const requiresCommerceRead = objectShownWith("commerce.read")

/** A timeline entry of a contact in a store. An order is at its placement time, with its current state. */
export const StoreTimelineEntry = Schema.Union([
  Schema.Struct({
    kind: Schema.Literal("order"),
    id: OrderId,
    at: Timestamp,
    storeConnectionId: StoreConnectionId,
    name: Schema.String,
    total: Money,
    paymentStatus: PaymentStatus,
    fulfilmentStatus: FulfilmentStatus,
    cancelledAt: Schema.NullOr(Timestamp)
  }).annotate(requiresCommerceRead),
  Schema.Struct({
    kind: Schema.Literal("refund"),
    id: RefundId,
    at: Timestamp,
    storeConnectionId: StoreConnectionId,
    orderId: OrderId,
    amount: Money
  }).annotate(requiresCommerceRead),
  Schema.Struct({
    kind: Schema.Literal("cart"),
    id: CartId,
    at: Timestamp,
    storeConnectionId: StoreConnectionId,
    state: CartState,
    total: Money
  }).annotate(requiresCommerceRead)
]).annotate({ identifier: "StoreEntry" })
export type StoreTimelineEntry = typeof StoreTimelineEntry.Type

/** Builds the timeline entries of an order: the order and its refunds. */
export const orderEntries = ({
  id,
  record,
  refundIds,
  storeConnectionId
}: StoredOrder): ReadonlyArray<StoreTimelineEntry> => {
  const { cancelledAt, fulfilmentStatus, name, paymentStatus, placedAt, refunds, total } = record
  return [
    { kind: "order", id, at: placedAt, storeConnectionId, name, total, paymentStatus, fulfilmentStatus, cancelledAt },
    ...refunds.flatMap(({ amount, at }, place): ReadonlyArray<StoreTimelineEntry> => {
      const refundId = refundIds[place]
      return refundId === undefined
        ? []
        : [{ kind: "refund", id: refundId, at, storeConnectionId, orderId: id, amount }]
    })
  ]
}

/** Builds the timeline entry of a cart. */
export const cartEntry = ({ id, record, state, storeConnectionId }: StoredCart): StoreTimelineEntry => ({
  kind: "cart",
  id,
  at: record.updatedAt,
  storeConnectionId,
  state,
  total: record.total
})

/** Totals of a contact's orders in one currency. Tests, cancelled and deleted orders do not count. */
export const LifetimeTotals = Schema.Struct({
  currency: Currency,
  orderCount: Schema.Int,
  /** Paid amount less refunds. */
  spent: Money,
  firstOrderAt: Timestamp,
  lastOrderAt: Timestamp
}).annotate({ identifier: "Lifetime" })
export type LifetimeTotals = typeof LifetimeTotals.Type

/** A store that data comes from, with the freshness of its data. */
export const CommerceStore = Schema.Struct({
  storeConnectionId: StoreConnectionId,
  name: Schema.String,
  status: StoreConnectionStatus,
  freshness: Freshness
}).annotate({ identifier: "CommerceStore" })
export type CommerceStore = typeof CommerceStore.Type

/** Maximum numbers of displayed records of a contact, in addition to orders. */
export const commerceLimits = { customers: 20, carts: 5 } as const

/** A contact across all stores. It is empty for a contact that no store knows. */
export const ContactCommerce = Schema.Struct({
  contactId: ContactId,
  customers: Schema.Array(StoreCustomer),
  lifetime: Schema.Array(LifetimeTotals),
  orders: Schema.Array(Order),
  carts: Schema.Array(Cart),
  stores: Schema.Array(CommerceStore)
}).annotate({ identifier: "ContactCommerce", ...objectShownWith("commerce.read") })
export type ContactCommerce = typeof ContactCommerce.Type

/** Displayed data of a contact across all stores, as stored. */
export interface StoredContactCommerce {
  readonly contactId: ContactId
  readonly customers: ReadonlyArray<StoredCustomer>
  readonly lifetime: ReadonlyArray<LifetimeTotals>
  /** Sorted by placement time, newest first. */
  readonly orders: ReadonlyArray<StoredOrder>
  /** Active or abandoned carts, sorted by last activity, newest first. */
  readonly carts: ReadonlyArray<StoredCart>
  readonly connections: ReadonlyArray<StoreConnection>
  /** References of the orders and carts. */
  readonly customerIds: ReadonlyArray<KnownRef<StoreCustomerId>>
  readonly productIds: ReadonlyArray<KnownRef<ProductId>>
}

/** Store records that are linked to contacts. */
export interface ContactCommerceData {
  readonly customers: ReadonlyArray<StoredCustomer>
  readonly orders: ReadonlyArray<StoredOrder>
  readonly carts: ReadonlyArray<StoredCart>
}

export class ContactCommerceRecords extends Context.Service<
  ContactCommerceRecords,
  TenantScoped<{
    /** Reads all displayed data together, with at most `orders` orders. */
    readonly read: (contactId: ContactId, orders: number) => Effect.Effect<StoredContactCommerce>
    /** Reads the same data for the contact of a conversation, without a separate lookup. */
    readonly readOfConversation: (id: ConversationId, orders: number) => Effect.Effect<StoredContactCommerce, NotFound>
    /** Orders, refunds and carts, newest first by `at`. The key of a row is its `at`, as written, and its id. */
    readonly timeline: (contactId: ContactId, slice: Slice) => Effect.Effect<ReadonlyArray<StoreTimelineEntry>>
    /** At most `limit` of each kind, newest first. */
    readonly heldBy: (contactId: ContactId, limit: number) => Effect.Effect<ContactCommerceData>
    /** Locks all linked data of these contacts for a change, until the unit of work ends. Includes customers with one of them as possible match. */
    readonly lock: (contactIds: ReadonlyArray<ContactId>) => Effect.Effect<ContactCommerceData, never, Transaction>
    readonly removeCarts: (ids: ReadonlyArray<CartId>) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/commerce/ContactCommerceRecords") {}
