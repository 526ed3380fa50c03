import { type StoredOrder, orderSearchText, StoreOrders } from "@parley/domain/commerce"
import { Effect, HashMap, Layer } from "effect"
import type { Tenant } from "../store/State.ts"
import { Store } from "../store/Store.ts"
import { readingRecords, withRows } from "./records.ts"

const standing = ({ storeOrders }: Tenant) =>
  HashMap.toValues(storeOrders).filter(({ deletedAt }) => deletedAt === null)

const records = readingRecords("order", standing, (kept: StoredOrder) => ({ ...kept, search: orderSearchText(kept) }))

export const layer = Layer.effect(
  StoreOrders,
  Effect.map(Store, (store) => {
    const inStore = Effect.provideService(Store, store)
    return StoreOrders.of({
      get: (id) => inStore(records.get(id)),
      list: (query, slice) =>
        inStore(
          records.list(
            query,
            slice,
            ({ record }) =>
              (query.paymentStatus === null || record.paymentStatus === query.paymentStatus) &&
              (query.fulfilmentStatus === null || record.fulfilmentStatus === query.fulfilmentStatus)
          )
        ),
      placedFrom: (storeConnectionId, tokens) =>
        store.readTenant((tenant) =>
          standing(tenant).flatMap(({ id, record: { checkoutToken, placedAt }, storeConnectionId: connection }) =>
            connection === storeConnectionId && checkoutToken !== null && tokens.includes(checkoutToken)
              ? [{ id, checkoutToken, placedAt }]
              : []
          )
        ),
      lastPlaced: (storeConnectionId, { contactIds, externalCustomerIds }) =>
        store.readTenant((tenant) =>
          standing(tenant)
            .filter(({ record }) => !record.test)
            .flatMap(({ contactId, record: { externalCustomerId, placedAt }, storeConnectionId: connection }) => [
              ...(contactId !== null && contactIds.includes(contactId)
                ? [{ contactId, externalCustomerId: null, placedAt }]
                : []),
              ...(connection === storeConnectionId &&
              externalCustomerId !== null &&
              externalCustomerIds.includes(externalCustomerId)
                ? [{ contactId: null, externalCustomerId, placedAt }]
                : [])
            ])
        ),
      lock: (storeConnectionId, externalIds) =>
        Effect.andThen(
          store.exclusive,
          store.readTenant(({ storeOrders }) =>
            HashMap.toValues(storeOrders).filter(
              (order) => order.storeConnectionId === storeConnectionId && externalIds.includes(order.record.externalId)
            )
          )
        ),
      lockOfCustomer: (storeConnectionId, externalCustomerId) =>
        Effect.andThen(
          store.exclusive,
          store.readTenant(({ storeOrders }) =>
            HashMap.toValues(storeOrders).filter(
              (order) =>
                order.storeConnectionId === storeConnectionId && order.record.externalCustomerId === externalCustomerId
            )
          )
        ),
      lockSome: (storeConnectionId, limit) =>
        Effect.andThen(
          store.exclusive,
          store.readTenant(({ storeOrders }) =>
            HashMap.toValues(storeOrders)
              .filter((order) => order.storeConnectionId === storeConnectionId)
              .toSorted((one, other) => (one.record.externalId < other.record.externalId ? -1 : 1))
              .slice(0, limit)
              .map(({ id }) => id)
          )
        ),
      remove: (ids) =>
        store.writeTenant(({ storeOrders }) => [undefined, { storeOrders: HashMap.removeMany(storeOrders, ids) }]),
      put: (orders) =>
        store.writeTenant(({ storeOrders }) => [
          undefined,
          { storeOrders: withRows(storeOrders, orders, ({ id }) => id) }
        ])
    })
  })
)
