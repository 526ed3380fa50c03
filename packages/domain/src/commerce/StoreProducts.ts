import { Context, type Effect } from "effect"
import type { NotFound, Slice, TenantScoped, Transaction } from "../kernel/index.ts"
import type { CommerceQuery, ExternalRef, KnownRef } from "./commerce/CommerceQuery.ts"
import type { ProductId, StoreConnectionId } from "./Ids.ts"
import type { KeptProduct } from "./Product.ts"

/** The products of the organization's stores. */
export class StoreProducts extends Context.Service<
  StoreProducts,
  TenantScoped<{
    readonly get: (id: ProductId) => Effect.Effect<KeptProduct, NotFound>
    /** Newest first; the key of a row is its id. */
    readonly list: (query: Omit<CommerceQuery, "contactId">, slice: Slice) => Effect.Effect<ReadonlyArray<KeptProduct>>
    /** Which of these there are, in no order. */
    readonly known: (ids: ReadonlyArray<ProductId>) => Effect.Effect<ReadonlyArray<ProductId>>
    /** The ids of those of these that there are, in no order. */
    readonly idsOf: (refs: ReadonlyArray<ExternalRef>) => Effect.Effect<ReadonlyArray<KnownRef<ProductId>>>
    /** Reads these products of a store to change them: others who do wait until this unit of work ends. In no order. */
    readonly lock: (
      storeConnectionId: StoreConnectionId,
      externalIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<KeptProduct>, never, Transaction>
    /** Stores new and changed products. */
    readonly put: (products: ReadonlyArray<KeptProduct>) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/commerce/StoreProducts") {}
