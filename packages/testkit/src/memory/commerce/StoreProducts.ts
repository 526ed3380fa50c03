import { type StoredProduct, productSearchText, StoreProducts } from "@parley/domain/commerce"
import { Effect, HashMap, Layer } from "effect"
import type { Tenant } from "../store/State.ts"
import { Store } from "../store/Store.ts"
import { readingRecords, withRows } from "./records.ts"

const rowsOf = ({ storeProducts }: Tenant) => HashMap.toValues(storeProducts)

const records = readingRecords("product", rowsOf, (kept: StoredProduct) => ({
  ...kept.product,
  contactId: null,
  search: productSearchText(kept)
}))

export const layer = Layer.effect(
  StoreProducts,
  Effect.map(Store, (store) => {
    const inStore = Effect.provideService(Store, store)
    return StoreProducts.of({
      get: (id) => inStore(records.get(id)),
      list: (query, slice) => inStore(records.list({ ...query, contactId: null }, slice)),
      known: (ids) => store.readTenant(({ storeProducts }) => ids.filter((id) => HashMap.has(storeProducts, id))),
      idsOf: (refs) =>
        store.readTenant((tenant) =>
          rowsOf(tenant).flatMap(({ product: { externalId, id, storeConnectionId } }) =>
            refs.some((ref) => ref.externalId === externalId && ref.storeConnectionId === storeConnectionId)
              ? [{ id, externalId, storeConnectionId }]
              : []
          )
        ),
      lock: (storeConnectionId, externalIds) =>
        Effect.andThen(
          store.exclusive,
          store.readTenant((tenant) =>
            rowsOf(tenant).filter(
              ({ product }) =>
                product.storeConnectionId === storeConnectionId && externalIds.includes(product.externalId)
            )
          )
        ),
      put: (products) =>
        store.writeTenant(({ storeProducts }) => [
          undefined,
          { storeProducts: withRows(storeProducts, products, ({ product }) => product.id) }
        ])
    })
  })
)
