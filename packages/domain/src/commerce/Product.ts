import { Context, type Effect, Schema } from "effect"
import { type NotFound, type Slice, type TenantScoped, Timestamp, type Transaction } from "../kernel/index.ts"
import { type CommerceQuery, type ExternalRef, type KnownRef, ProductId, StoreConnectionId } from "./Ids.ts"
import { ProductRecord } from "./shopRecords.ts"

/** Whether a product is sold. `deleted`: the shop does not have it any more. */
export const ProductStatus = Schema.Literals([...ProductRecord.fields.status.literals, "deleted"])
export type ProductStatus = typeof ProductStatus.Type

const { externalId, imageUrl, title, url, variants } = ProductRecord.fields

/** A product of a store. */
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

/** A product as it is kept: with what decides whether a record is newer. */
export interface StoredProduct {
  readonly product: Product
  /** When the shop has changed it last. */
  readonly changedAt: Timestamp
}

/** The products of the organization's stores. */
export class StoreProducts extends Context.Service<
  StoreProducts,
  TenantScoped<{
    readonly get: (id: ProductId) => Effect.Effect<StoredProduct, NotFound>
    /** Newest first; the key of a row is its id. */
    readonly list: (
      query: Omit<CommerceQuery, "contactId">,
      slice: Slice
    ) => Effect.Effect<ReadonlyArray<StoredProduct>>
    /** Which of these there are, in no order. */
    readonly known: (ids: ReadonlyArray<ProductId>) => Effect.Effect<ReadonlyArray<ProductId>>
    /** The ids of those of these that there are, in no order. */
    readonly idsOf: (refs: ReadonlyArray<ExternalRef>) => Effect.Effect<ReadonlyArray<KnownRef<ProductId>>>
    /** Reads these products of a store to change them: others who do wait until this unit of work ends. In no order. */
    readonly lock: (
      storeConnectionId: StoreConnectionId,
      externalIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<StoredProduct>, never, Transaction>
    /** Stores new and changed products. */
    readonly put: (products: ReadonlyArray<StoredProduct>) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/commerce/StoreProducts") {}
