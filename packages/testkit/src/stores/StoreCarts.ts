import { cartSearchText, type KeptCart, StoreCarts } from "@parley/domain"
import { Effect, HashMap, Layer } from "effect"
import type { Tenant } from "../store/State.ts"
import { Store } from "../store/Store.ts"
import { readingRecords, withRows } from "./records.ts"

const rowsOf = ({ storeCarts }: Tenant) => HashMap.toValues(storeCarts)

const records = readingRecords("cart", rowsOf, (kept: KeptCart) => ({ ...kept, search: cartSearchText(kept) }))

export const layer = Layer.effect(
  StoreCarts,
  Effect.map(Store, (store) => {
    const inStore = Effect.provideService(Store, store)
    const lock = (storeConnectionId: string, isWanted: (cart: KeptCart) => boolean) =>
      Effect.andThen(
        store.exclusive,
        store.readTenant((tenant) =>
          rowsOf(tenant).filter((cart) => cart.storeConnectionId === storeConnectionId && isWanted(cart))
        )
      )
    return StoreCarts.of({
      get: (id) => inStore(records.get(id)),
      list: (query, slice) =>
        inStore(records.list(query, slice, ({ state }) => query.state === null || state === query.state)),
      lock: (storeConnectionId, externalIds) =>
        lock(storeConnectionId, ({ record }) => externalIds.includes(record.externalId)),
      lockByToken: (storeConnectionId, tokens) =>
        lock(storeConnectionId, ({ record: { token } }) => token !== null && tokens.includes(token)),
      lockOfCustomer: (storeConnectionId, externalCustomerId) =>
        lock(storeConnectionId, ({ record }) => record.externalCustomerId === externalCustomerId),
      put: (carts) =>
        store.writeTenant(({ storeCarts }) => [undefined, { storeCarts: withRows(storeCarts, carts, ({ id }) => id) }])
    })
  })
)
