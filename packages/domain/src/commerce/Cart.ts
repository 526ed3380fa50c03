import { Context, type DateTime, Duration, type Effect, Schema } from "effect"
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
import { CartId, type CommerceQuery, OrderId, StoreConnectionId, StoreCustomerId } from "./Ids.ts"
import { StoreLine } from "./Order.ts"
import type { CartRecord } from "./shopRecords.ts"

/** State of a cart. `recovered`: abandoned, then ordered. `expired`: the customer did not return. */
export const CartState = Schema.Literals(["active", "abandoned", "recovered", "completed", "expired"])
export type CartState = typeof CartState.Type

export class Cart extends Schema.Class<Cart>("Cart")(
  {
    id: CartId,
    storeConnectionId: StoreConnectionId,
    externalId: Schema.String,
    customerId: Schema.NullOr(StoreCustomerId),
    contactId: Schema.NullOr(ContactId),
    state: CartState,
    lines: Schema.Array(StoreLine),
    total: Money,
    recoveryUrl: Schema.NullOr(Schema.String),
    lastActivityAt: Timestamp,
    abandonedAt: Schema.NullOr(Timestamp),
    /** The order of this cart. */
    orderId: Schema.NullOr(OrderId),
    createdAt: Timestamp,
    updatedAt: Timestamp
  },
  objectShownWith("commerce.read")
) {}

/** A cart as stored. It refers to other records by the ids of the shop. */
export interface StoredCart {
  readonly id: CartId
  readonly storeConnectionId: StoreConnectionId
  readonly contactId: ContactId | null
  readonly record: CartRecord
  readonly state: CartState
  readonly abandonedAt: Timestamp | null
  /** When its abandonment was last published. */
  readonly toldAt: Timestamp | null
  readonly orderId: OrderId | null
  /** When it reached its final state. */
  readonly closedAt: Timestamp | null
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}

/** Filter of carts; `null` matches any value. */
export interface CartQuery extends CommerceQuery {
  readonly state: CartState | null
}

export class StoreCarts extends Context.Service<
  StoreCarts,
  TenantScoped<{
    readonly get: (id: CartId) => Effect.Effect<StoredCart, NotFound>
    /** Newest first. The key of a row is its id. */
    readonly list: (query: CartQuery, slice: Slice) => Effect.Effect<ReadonlyArray<StoredCart>>
    /** Locks these carts of a store for a change, until the unit of work ends. Unordered. */
    readonly lock: (
      storeConnectionId: StoreConnectionId,
      externalIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<StoredCart>, never, Transaction>
    /** Locks carts by the token that orders contain. */
    readonly lockByToken: (
      storeConnectionId: StoreConnectionId,
      tokens: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<StoredCart>, never, Transaction>
    /** Locks the carts of customers of the shop, in id order. */
    readonly lockOfCustomers: (
      storeConnectionId: StoreConnectionId,
      externalCustomerIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<StoredCart>, never, Transaction>
    /** Carts in this state that were silent since then, longest silence first. The key of a row is its last activity, as written, and its id. */
    readonly silent: (
      storeConnectionId: StoreConnectionId,
      state: "active" | "abandoned",
      since: DateTime.Utc,
      slice: Slice
    ) => Effect.Effect<ReadonlyArray<StoredCart>>
    /** Earliest last activity of an active cart after then; `null` if no such cart exists. */
    readonly nextSilent: (
      storeConnectionId: StoreConnectionId,
      after: DateTime.Utc
    ) => Effect.Effect<DateTime.Utc | null>
    /** Deletes carts that ended by then. Returns their number. */
    readonly sweep: (endedBy: DateTime.Utc) => Effect.Effect<number>
    readonly put: (carts: ReadonlyArray<StoredCart>) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/commerce/StoreCarts") {}

/** Retention of ended carts. */
export const closedCartRetention = Duration.days(90)
