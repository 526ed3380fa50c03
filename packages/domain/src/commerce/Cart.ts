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

/** What became of a cart: `recovered` if it was abandoned before it was ordered, `expired` if nobody came back. */
export const CartState = Schema.Literals(["active", "abandoned", "recovered", "completed", "expired"])
export type CartState = typeof CartState.Type

/** A cart of a store. */
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

/** A cart as it is kept: what it refers to stands in it by the shop's ids. */
export interface StoredCart {
  readonly id: CartId
  readonly storeConnectionId: StoreConnectionId
  readonly contactId: ContactId | null
  readonly record: CartRecord
  readonly state: CartState
  readonly abandonedAt: Timestamp | null
  /** When it was told last that it is abandoned. */
  readonly toldAt: Timestamp | null
  readonly orderId: OrderId | null
  /** When it took the state that it ends in. */
  readonly closedAt: Timestamp | null
  readonly createdAt: Timestamp
  readonly updatedAt: Timestamp
}

/** Which carts to list; `null` is any. */
export interface CartQuery extends CommerceQuery {
  readonly state: CartState | null
}

/** The carts of the organization's stores. */
export class StoreCarts extends Context.Service<
  StoreCarts,
  TenantScoped<{
    readonly get: (id: CartId) => Effect.Effect<StoredCart, NotFound>
    /** Newest first; the key of a row is its id. */
    readonly list: (query: CartQuery, slice: Slice) => Effect.Effect<ReadonlyArray<StoredCart>>
    /** Reads these carts of a store to change them: others who do wait until this unit of work ends. In no order. */
    readonly lock: (
      storeConnectionId: StoreConnectionId,
      externalIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<StoredCart>, never, Transaction>
    /** As `lock`, by what orders name. */
    readonly lockByToken: (
      storeConnectionId: StoreConnectionId,
      tokens: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<StoredCart>, never, Transaction>
    /** As `lock`, those of a customer of the shop. */
    readonly lockOfCustomer: (
      storeConnectionId: StoreConnectionId,
      externalCustomerId: string
    ) => Effect.Effect<ReadonlyArray<StoredCart>, never, Transaction>
    /** Those in this state that were silent since then, the silent for longest first; the key of a row is its last activity, as written, and its id. */
    readonly silent: (
      storeConnectionId: StoreConnectionId,
      state: "active" | "abandoned",
      since: DateTime.Utc,
      slice: Slice
    ) => Effect.Effect<ReadonlyArray<StoredCart>>
    /** The first activity after then that is the last one of an active cart; `null` if there is none. */
    readonly nextSilent: (
      storeConnectionId: StoreConnectionId,
      after: DateTime.Utc
    ) => Effect.Effect<DateTime.Utc | null>
    /** Deletes those that had ended by then; says how many. */
    readonly sweep: (endedBy: DateTime.Utc) => Effect.Effect<number>
    /** Stores new and changed carts. */
    readonly put: (carts: ReadonlyArray<StoredCart>) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/commerce/StoreCarts") {}

/** How long carts that have ended are kept. */
export const closedCartRetention = Duration.days(90)
