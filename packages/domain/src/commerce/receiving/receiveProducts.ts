import { Effect } from "effect"
import { nextId } from "../../kernel/index.ts"
import { ProductId } from "../Ids.ts"
import { toldProduct } from "../products/toldProduct.ts"
import type { KeptProduct } from "../Product.ts"
import type { ProductRecord } from "../records/ProductRecord.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import { StoreProducts } from "../StoreProducts.ts"
import { byExternalId, latest, saysTheSame } from "./latest.ts"
import { underStore } from "./underStore.ts"

const withChange = ({ changedAt, product }: KeptProduct) => ({ ...product, changedAt })

/** Takes products as a shop tells of them. */
export const receiveProducts = ({ id }: Pick<StoreConnection, "id">, records: ReadonlyArray<ProductRecord>) =>
  underStore(
    id,
    Effect.fnUntraced(function* (connection, now) {
      const products = yield* StoreProducts
      const told = latest(records)
      const kept = byExternalId(
        yield* products.lock(
          id,
          told.map(({ externalId }) => externalId)
        ),
        ({ product }) => product.externalId
      )
      const changed: Array<KeptProduct> = []
      for (const record of told) {
        const before = kept.get(record.externalId) ?? null
        const after = toldProduct(before, record, connection, before?.product.id ?? (yield* nextId(ProductId)), now)
        const isSame = before !== null && saysTheSame(withChange(before), withChange(after))
        if (!isSame) changed.push(after)
      }
      yield* products.put(changed)
    })
  )
