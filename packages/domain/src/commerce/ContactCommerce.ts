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

/** One thing that happened with a contact in a store: an order stands where it was placed, as it is now. */
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

/** What is told of an order in a timeline: itself, and what was given back of it. */
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

/** What is told of a cart in a timeline. */
export const cartEntry = ({ id, record, state, storeConnectionId }: StoredCart): StoreTimelineEntry => ({
  kind: "cart",
  id,
  at: record.updatedAt,
  storeConnectionId,
  state,
  total: record.total
})

/** What somebody has ordered in one currency. Orders that are tests, cancelled or deleted do not count. */
export const LifetimeTotals = Schema.Struct({
  currency: Currency,
  orderCount: Schema.Int,
  /** What was paid, less what was given back. */
  spent: Money,
  firstOrderAt: Timestamp,
  lastOrderAt: Timestamp
}).annotate({ identifier: "Lifetime" })
export type LifetimeTotals = typeof LifetimeTotals.Type

/** A store that something comes from, and how far what is known of it can be behind. */
export const CommerceStore = Schema.Struct({
  storeConnectionId: StoreConnectionId,
  name: Schema.String,
  status: StoreConnectionStatus,
  freshness: Freshness
}).annotate({ identifier: "CommerceStore" })
export type CommerceStore = typeof CommerceStore.Type

/** How much is shown of a contact at most, beside the orders. */
export const commerceLimits = { customers: 20, carts: 5 } as const

/** A contact across all stores. Whom no store knows has nothing here. */
export const ContactCommerce = Schema.Struct({
  contactId: ContactId,
  customers: Schema.Array(StoreCustomer),
  lifetime: Schema.Array(LifetimeTotals),
  orders: Schema.Array(Order),
  carts: Schema.Array(Cart),
  stores: Schema.Array(CommerceStore)
}).annotate({ identifier: "ContactCommerce", ...objectShownWith("commerce.read") })
export type ContactCommerce = typeof ContactCommerce.Type

/** Everything that is shown of a contact across all stores, as it is kept. */
export interface StoredContactCommerce {
  readonly contactId: ContactId
  readonly customers: ReadonlyArray<StoredCustomer>
  readonly lifetime: ReadonlyArray<LifetimeTotals>
  /** Those placed last first. */
  readonly orders: ReadonlyArray<StoredOrder>
  /** Those that are active or abandoned, the last activity first. */
  readonly carts: ReadonlyArray<StoredCart>
  readonly connections: ReadonlyArray<StoreConnection>
  /** What orders and carts refer to. */
  readonly customerIds: ReadonlyArray<KnownRef<StoreCustomerId>>
  readonly productIds: ReadonlyArray<KnownRef<ProductId>>
}

/** What hangs on contacts. */
export interface ContactCommerceData {
  readonly customers: ReadonlyArray<StoredCustomer>
  readonly orders: ReadonlyArray<StoredOrder>
  readonly carts: ReadonlyArray<StoredCart>
}

/** What the organization's stores hold of contacts. */
export class ContactCommerceRecords extends Context.Service<
  ContactCommerceRecords,
  TenantScoped<{
    /** All of it at once: at most so many orders, and of the rest what is shown. */
    readonly read: (contactId: ContactId, orders: number) => Effect.Effect<StoredContactCommerce>
    /** As `read`, of the contact of a conversation, at once. */
    readonly readOfConversation: (id: ConversationId, orders: number) => Effect.Effect<StoredContactCommerce, NotFound>
    /**
     * Orders, what was given back of them, and carts, newest first by `at`; the key of a row is its `at`, as written, and its id.
     */
    readonly timeline: (contactId: ContactId, slice: Slice) => Effect.Effect<ReadonlyArray<StoreTimelineEntry>>
    /** At most `limit` of each kind, the newest first. */
    readonly heldBy: (contactId: ContactId, limit: number) => Effect.Effect<ContactCommerceData>
    /** Reads all that hangs on these contacts to change it, also customers who may be them. Others who do wait until this unit of work ends. */
    readonly lock: (contactIds: ReadonlyArray<ContactId>) => Effect.Effect<ContactCommerceData, never, Transaction>
    readonly removeCarts: (ids: ReadonlyArray<CartId>) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/commerce/ContactCommerceRecords") {}
