import { editDistance, searchableNameWords } from "@parley/domain/crm"
import {
  customerSearchText,
  matchesOrderSearch,
  orderCursorKey,
  type OrderQuery,
  orderSearchText,
  type ShopOrderRefs,
  type StoreConnectionId,
  type StoredOrder,
  StoreOrders
} from "@parley/domain/commerce"
import { DateTime, Effect, HashMap, Layer } from "effect"
import { inSortOrder } from "../store/slice.ts"
import type { Tenant } from "../store/State.ts"
import { Store } from "../store/Store.ts"
import { hasLinks, readingRecords, withRows } from "./records.ts"

const standing = ({ storeOrders }: Tenant) =>
  HashMap.toValues(storeOrders).filter(({ deletedAt }) => deletedAt === null)

const records = readingRecords("order", standing, (kept: StoredOrder) => ({ ...kept, search: orderSearchText(kept) }))

/** Returns the search texts of an order and of its customer. */
const searchTexts = ({ storeCustomers }: Tenant, order: StoredOrder) => [
  orderSearchText(order),
  ...HashMap.toValues(storeCustomers)
    .filter(
      ({ customer: { externalId, storeConnectionId } }) =>
        storeConnectionId === order.storeConnectionId && externalId === order.record.externalCustomerId
    )
    .map(customerSearchText)
]

const matches = (
  tenant: Tenant,
  order: StoredOrder,
  { fulfilmentStatus, paymentStatus, placedFrom, placedTo, search, sort: _sort, ...links }: OrderQuery
) => {
  const { record } = order
  return (
    hasLinks(order, links) &&
    (paymentStatus === null || record.paymentStatus === paymentStatus) &&
    (fulfilmentStatus === null || record.fulfilmentStatus === fulfilmentStatus) &&
    (placedFrom === null || DateTime.isGreaterThanOrEqualTo(record.placedAt, placedFrom)) &&
    (placedTo === null || DateTime.isLessThan(record.placedAt, placedTo)) &&
    (search === null || matchesOrderSearch(searchTexts(tenant, order), search))
  )
}

/** Returns these orders of a store, in id order. */
const referencedIn = (
  orders: ReadonlyArray<StoredOrder>,
  connection: StoreConnectionId,
  { externalCustomerIds, externalIds }: ShopOrderRefs
) =>
  orders
    .filter(
      ({ record: { externalCustomerId, externalId }, storeConnectionId }) =>
        storeConnectionId === connection &&
        (externalIds.includes(externalId) ||
          (externalCustomerId !== null && externalCustomerIds.includes(externalCustomerId)))
    )
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))

/** Returns the words of product titles and customer names. */
const wordsOf = ({ storeCustomers, storeProducts }: Tenant) => [
  ...new Set(
    [
      ...HashMap.toValues(storeProducts).map(({ product }) => product.title),
      ...HashMap.toValues(storeCustomers).map(({ customer }) => customer.name)
    ].flatMap(searchableNameWords)
  )
]

export const layer = Layer.effect(
  StoreOrders,
  Effect.map(Store, (store) => {
    const inStore = Effect.provideService(Store, store)
    return StoreOrders.of({
      get: (id) => inStore(records.get(id)),
      list: (query, slice) =>
        store.readTenant((tenant) =>
          inSortOrder(
            standing(tenant).filter((order) => matches(tenant, order, query)),
            query.sort,
            (order) => orderCursorKey(query.sort, order),
            slice
          )
        ),
      wordsLike: (word) =>
        store.readTenant((tenant) =>
          wordsOf(tenant)
            .map((other) => ({ other, far: editDistance(word, other, 3) }))
            .filter(({ far }) => far <= 3)
            .toSorted((one, two) => one.far - two.far || (one.other < two.other ? -1 : 1))
            .slice(0, 20)
            .map(({ other }) => other)
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
      referenced: (storeConnectionId, refs, limit) =>
        store.readTenant((tenant) => referencedIn(standing(tenant), storeConnectionId, refs).slice(0, limit)),
      countReferenced: (storeConnectionId, refs) =>
        store.readTenant((tenant) => referencedIn(standing(tenant), storeConnectionId, refs).length),
      lockReferenced: (storeConnectionId, refs) =>
        Effect.andThen(
          store.exclusive,
          store.readTenant(({ storeOrders }) => referencedIn(HashMap.toValues(storeOrders), storeConnectionId, refs))
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
