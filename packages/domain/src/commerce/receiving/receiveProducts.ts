import { type DateTime, Effect } from "effect"
import { nextId } from "../../kernel/index.ts"
import { ProductId } from "../Ids.ts"
import { type StoredProduct, Product, StoreProducts } from "../Product.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import { withStoreLock } from "../StoreConnections.ts"
import { indexByExternalId, truncateProduct, latestPerRecord, isSameContent, supersedes } from "../recordRules.ts"
import type { ProductRecord } from "../shopRecords.ts"

/** Applies a report of the shop to a product. Returns the same object for an older record or a deleted product. */
const applyProductReport = (
  before: StoredProduct | null,
  reported: ProductRecord,
  { id: storeConnectionId }: Pick<StoreConnection, "id">,
  newId: ProductId,
  now: DateTime.Utc
): StoredProduct => {
  const isOld = before !== null && !supersedes(reported, { updatedAt: before.changedAt })
  if (before !== null && (before.product.status === "deleted" || isOld)) return before
  const { updatedAt, ...record } = truncateProduct(reported)
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

/** Marks a product as deleted in the shop. Orders still refer to it. */
export const markProductDeleted = (before: StoredProduct, now: DateTime.Utc): StoredProduct => ({
  ...before,
  product: new Product({ ...before.product, status: "deleted", updatedAt: now })
})

/** Creates a deleted product for a deletion that arrives before any other report. */
export const newDeletedProduct = (
  id: ProductId,
  { id: storeConnectionId }: Pick<StoreConnection, "id">,
  externalId: string,
  now: DateTime.Utc
): StoredProduct => ({
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

const toComparable = ({ changedAt, product }: StoredProduct) => ({ ...product, changedAt })

/** Stores products as a shop reports them. */
export const receiveProducts = ({ id }: Pick<StoreConnection, "id">, records: ReadonlyArray<ProductRecord>) =>
  withStoreLock(
    id,
    Effect.fnUntraced(function* (connection, now) {
      const products = yield* StoreProducts
      const latest = latestPerRecord(records)
      const kept = indexByExternalId(
        yield* products.lock(
          id,
          latest.map(({ externalId }) => externalId)
        ),
        ({ product }) => product.externalId
      )
      const changed: Array<StoredProduct> = []
      for (const record of latest) {
        const before = kept.get(record.externalId) ?? null
        const after = applyProductReport(
          before,
          record,
          connection,
          before?.product.id ?? (yield* nextId(ProductId)),
          now
        )
        const isSame = before !== null && isSameContent(toComparable(before), toComparable(after))
        if (!isSame) changed.push(after)
      }
      yield* products.put(changed)
    })
  )
