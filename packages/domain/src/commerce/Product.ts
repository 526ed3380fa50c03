import { Context, type Effect, Schema } from "effect"
import { type NotFound, type Slice, type TenantScoped, Timestamp, type Transaction } from "../kernel/index.ts"
import { type CommerceQuery, type ExternalRef, type KnownRef, ProductId, StoreConnectionId } from "./Ids.ts"
import { ProductRecord } from "./shopRecords.ts"

/** Sale status of a product. `deleted`: the shop has deleted it. */
export const ProductStatus = Schema.Literals([...ProductRecord.fields.status.literals, "deleted"])
export type ProductStatus = typeof ProductStatus.Type

const { externalId, imageUrl, title, url, variants } = ProductRecord.fields

export class Product extends Schema.Class<Product>("Product")({
  id: ProductId,
  storeConnectionId: StoreConnectionId,
  externalId,
  title,
  status: ProductStatus,
  url,
  imageUrl,
  variants,
  createdAt: Timestamp,
  updatedAt: Timestamp
}) {}

/** A product as stored, with the time that decides which record is newer. */
export interface StoredProduct {
  readonly product: Product
  /** When the shop last changed it. */
  readonly changedAt: Timestamp
}

export class StoreProducts extends Context.Service<
  StoreProducts,
  TenantScoped<{
    readonly get: (id: ProductId) => Effect.Effect<StoredProduct, NotFound>
    /** Newest first. The key of a row is its id. */
    readonly list: (
      query: Omit<CommerceQuery, "contactId">,
      slice: Slice
    ) => Effect.Effect<ReadonlyArray<StoredProduct>>
    /** Existing products of these ids, unordered. */
    readonly known: (ids: ReadonlyArray<ProductId>) => Effect.Effect<ReadonlyArray<ProductId>>
    /** Ids of the existing products of these references, unordered. */
    readonly idsOf: (refs: ReadonlyArray<ExternalRef>) => Effect.Effect<ReadonlyArray<KnownRef<ProductId>>>
    /** Locks these products of a store for a change, until the unit of work ends. Unordered. */
    readonly lock: (
      storeConnectionId: StoreConnectionId,
      externalIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<StoredProduct>, never, Transaction>
    readonly put: (products: ReadonlyArray<StoredProduct>) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/commerce/StoreProducts") {}
