import { cartSearchText, type StoredCart, StoreCarts } from "@parley/domain/commerce"
import { DateTime, Effect, HashMap, Layer, Order } from "effect"
import type { Tenant } from "../store/State.ts"
import { Store } from "../store/Store.ts"
import { readingRecords, withRows } from "./records.ts"

const rowsOf = ({ storeCarts }: Tenant) => HashMap.toValues(storeCarts)

const records = readingRecords("cart", rowsOf, (kept: StoredCart) => ({ ...kept, search: cartSearchText(kept) }))

const longestFirst = Order.combine(
  Order.mapInput(DateTime.Order, ({ record }: StoredCart) => record.updatedAt),
  Order.mapInput(Order.String, ({ id }: StoredCart) => id)
)

export const layer = Layer.effect(
  StoreCarts,
  Effect.map(Store, (store) => {
    const inStore = Effect.provideService(Store, store)
    const lock = (storeConnectionId: string, isWanted: (cart: StoredCart) => boolean) =>
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
      lockOfCustomers: (storeConnectionId, customerIds) =>
        lock(
          storeConnectionId,
          ({ record: { externalCustomerId } }) =>
            externalCustomerId !== null && customerIds.includes(externalCustomerId)
        ),
      silent: (storeConnectionId, state, since, slice) =>
        store.readTenant((tenant) => {
          const [lastAt = "", lastId = ""] = slice.after ?? []
          const isAfter = ({ id, record }: StoredCart) => {
            const at = DateTime.formatIso(record.updatedAt)
            return at > lastAt || (at === lastAt && id > lastId)
          }
          return rowsOf(tenant)
            .filter(
              (cart) =>
                cart.storeConnectionId === storeConnectionId &&
                cart.state === state &&
                DateTime.isLessThanOrEqualTo(cart.record.updatedAt, since) &&
                isAfter(cart)
            )
            .toSorted(longestFirst)
            .slice(0, slice.limit)
        }),
      nextSilent: (storeConnectionId, after) =>
        store.readTenant((tenant) => {
          const times = rowsOf(tenant).flatMap(({ record, state, storeConnectionId: connection }) =>
            connection === storeConnectionId && state === "active" && DateTime.isGreaterThan(record.updatedAt, after)
              ? [record.updatedAt]
              : []
          )
          return times.reduce<DateTime.Utc | null>((first, at) => (first === null ? at : DateTime.min(first, at)), null)
        }),
      sweep: (endedBy) =>
        store.writeTenant(({ storeCarts: all }) => {
          const storeCarts = HashMap.filter(
            all,
            ({ closedAt }) => closedAt === null || DateTime.isGreaterThan(closedAt, endedBy)
          )
          return [HashMap.size(all) - HashMap.size(storeCarts), { storeCarts }]
        }),
      put: (carts) =>
        store.writeTenant(({ storeCarts }) => [undefined, { storeCarts: withRows(storeCarts, carts, ({ id }) => id) }])
    })
  })
)
