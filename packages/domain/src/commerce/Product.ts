import { Schema } from "effect"
import { Timestamp } from "../kernel/index.ts"
import { ProductId, StoreConnectionId } from "./Ids.ts"
import { ProductRecord } from "./records/ProductRecord.ts"

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
export interface KeptProduct {
  readonly product: Product
  /** When the shop has changed it last. */
  readonly changedAt: Timestamp
}
