import { Context, type DateTime, type Effect } from "effect"
import type { NotFound, Slice, TenantScoped, Transaction } from "../kernel/index.ts"
import type { CartState, KeptCart } from "./Cart.ts"
import type { CommerceQuery } from "./commerce/CommerceQuery.ts"
import type { CartId, StoreConnectionId } from "./Ids.ts"

/** Which carts to list; `null` is any. */
export interface CartQuery extends CommerceQuery {
  readonly state: CartState | null
}

/** The carts of the organization's stores. */
export class StoreCarts extends Context.Service<
  StoreCarts,
  TenantScoped<{
    readonly get: (id: CartId) => Effect.Effect<KeptCart, NotFound>
    /** Newest first; the key of a row is its id. */
    readonly list: (query: CartQuery, slice: Slice) => Effect.Effect<ReadonlyArray<KeptCart>>
    /** Reads these carts of a store to change them: others who do wait until this unit of work ends. In no order. */
    readonly lock: (
      storeConnectionId: StoreConnectionId,
      externalIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<KeptCart>, never, Transaction>
    /** As `lock`, by what orders name. */
    readonly lockByToken: (
      storeConnectionId: StoreConnectionId,
      tokens: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<KeptCart>, never, Transaction>
    /** As `lock`, those of a customer of the shop. */
    readonly lockOfCustomer: (
      storeConnectionId: StoreConnectionId,
      externalCustomerId: string
    ) => Effect.Effect<ReadonlyArray<KeptCart>, never, Transaction>
    /** Those in this state that were silent since then, the silent for longest first; the key of a row is its last activity, as written, and its id. */
    readonly silent: (
      storeConnectionId: StoreConnectionId,
      state: "active" | "abandoned",
      since: DateTime.Utc,
      slice: Slice
    ) => Effect.Effect<ReadonlyArray<KeptCart>>
    /** The first activity after then that is the last one of an active cart; `null` if there is none. */
    readonly nextSilent: (
      storeConnectionId: StoreConnectionId,
      after: DateTime.Utc
    ) => Effect.Effect<DateTime.Utc | null>
    /** Deletes those that had ended by then; says how many. */
    readonly sweep: (endedBy: DateTime.Utc) => Effect.Effect<number>
    /** Stores new and changed carts. */
    readonly put: (carts: ReadonlyArray<KeptCart>) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/commerce/StoreCarts") {}
