import type { DateTime } from "effect"
import type { ProductId } from "../Ids.ts"
import { type KeptProduct, Product } from "../Product.ts"
import { cutProduct } from "../records/cutRecords.ts"
import type { ProductRecord } from "../records/ProductRecord.ts"
import { supersedes } from "../records/supersedes.ts"
import type { StoreConnection } from "../StoreConnection.ts"

/** A product after the shop has told of it; the very same one where an older record changes nothing, or it is gone. */
export const toldProduct = (
  before: KeptProduct | null,
  told: ProductRecord,
  { id: storeConnectionId }: Pick<StoreConnection, "id">,
  newId: ProductId,
  now: DateTime.Utc
): KeptProduct => {
  const isOld = before !== null && !supersedes(told, { updatedAt: before.changedAt })
  if (before !== null && (before.product.status === "deleted" || isOld)) return before
  const { updatedAt, ...record } = cutProduct(told)
  return {
    product: new Product({
      ...record,
      id: before?.product.id ?? newId,
      storeConnectionId,
      createdAt: before?.product.createdAt ?? now,
      updatedAt: now
    }),
    changedAt: updatedAt
  }
}

/** A product that the shop does not have any more. Orders still name it. */
export const deletedProduct = (before: KeptProduct, now: DateTime.Utc): KeptProduct => ({
  ...before,
  product: new Product({ ...before.product, status: "deleted", updatedAt: now })
})

/** A product that was gone before anything else was told of it. */
export const unknownProduct = (
  id: ProductId,
  { id: storeConnectionId }: Pick<StoreConnection, "id">,
  externalId: string,
  now: DateTime.Utc
): KeptProduct => ({
  product: new Product({
    id,
    storeConnectionId,
    externalId,
    title: "",
    status: "deleted",
    url: null,
    imageUrl: null,
    variants: [],
    createdAt: now,
    updatedAt: now
  }),
  changedAt: now
})
