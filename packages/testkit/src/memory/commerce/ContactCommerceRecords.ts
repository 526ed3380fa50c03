import { NotFound } from "@parley/domain/kernel"
import type { ContactId } from "@parley/domain/crm"
import {
  commerceLimits,
  ContactCommerceRecords,
  type StoredContactCommerce,
  cartEntry,
  type ContactCommerceData,
  isCountedOrder,
  type StoredCustomer,
  orderEntries,
  type StoredOrder,
  type LifetimeTotals,
  collectRefs,
  spentAmount
} from "@parley/domain/commerce"
import { Array as Arrays, DateTime, Effect, HashMap, Layer, Order } from "effect"
import { newestFirst } from "../store/slice.ts"
import { rowAt, type Tenant } from "../store/State.ts"
import { Store } from "../store/Store.ts"

const lifetimeOf = (orders: ReadonlyArray<StoredOrder>): ReadonlyArray<LifetimeTotals> =>
  Object.entries(Object.groupBy(orders.filter(isCountedOrder), ({ record }) => record.total.currency))
    .toSorted(Order.mapInput(Order.String, ([currency]) => currency))
    .flatMap(([currency, counted = []]) => {
      const times = counted.map(({ record }) => record.placedAt)
      return Arrays.isReadonlyArrayNonEmpty(times)
        ? [
            {
              currency,
              orderCount: counted.length,
              spent: {
                amountMinor: counted.reduce((sum, { record }) => sum + spentAmount(record).amountMinor, 0),
                currency
              },
              firstOrderAt: times.reduce(DateTime.min),
              lastOrderAt: times.reduce(DateTime.max)
            }
          ]
        : []
    })

const latestFirst = <Row extends { readonly id: string }>(atOf: (row: Row) => DateTime.Utc) =>
  Order.flip(
    Order.combine(
      Order.mapInput(DateTime.Order, atOf),
      Order.mapInput(Order.String, ({ id }: Row) => id)
    )
  )

const read = (tenant: Tenant, contactId: ContactId, most: number): StoredContactCommerce => {
  const open = HashMap.toValues(tenant.storeCustomers).filter(({ closedAt }) => closedAt === null)
  const customers = open
    .filter(({ customer }) => customer.contactId === contactId)
    .toSorted(Order.flip(Order.mapInput(Order.String, ({ customer }: (typeof open)[number]) => customer.id)))
    .slice(0, commerceLimits.customers)
  const standing = HashMap.toValues(tenant.storeOrders).filter(
    (order) => order.contactId === contactId && order.deletedAt === null
  )
  const orders = standing.toSorted(latestFirst(({ record }) => record.placedAt)).slice(0, most)
  const carts = HashMap.toValues(tenant.storeCarts)
    .filter((cart) => cart.contactId === contactId && (cart.state === "active" || cart.state === "abandoned"))
    .toSorted(latestFirst(({ record }) => record.updatedAt))
    .slice(0, commerceLimits.carts)
  const refs = collectRefs([...orders, ...carts])
  const named = new Set(
    [...customers.map(({ customer }) => customer), ...orders, ...carts].map(
      ({ storeConnectionId }) => storeConnectionId
    )
  )
  return {
    contactId,
    customers,
    lifetime: lifetimeOf(standing),
    orders,
    carts,
    connections: HashMap.toValues(tenant.storeConnections)
      .map(({ connection }) => connection)
      .filter(({ id }) => named.has(id))
      .toSorted(Order.mapInput(Order.String, ({ id }) => id)),
    customerIds: open.flatMap(({ customer: { externalId, id, storeConnectionId } }) =>
      refs.customers.some((ref) => ref.externalId === externalId && ref.storeConnectionId === storeConnectionId)
        ? [{ id, externalId, storeConnectionId }]
        : []
    ),
    productIds: HashMap.toValues(tenant.storeProducts).flatMap(({ product: { externalId, id, storeConnectionId } }) =>
      refs.products.some((ref) => ref.externalId === externalId && ref.storeConnectionId === storeConnectionId)
        ? [{ id, externalId, storeConnectionId }]
        : []
    )
  }
}

const heldIn = (
  { storeCarts, storeCustomers, storeOrders }: Tenant,
  contactIds: ReadonlySet<ContactId | null>
): ContactCommerceData => {
  const isOne = (id: ContactId | null) => id !== null && contactIds.has(id)
  return {
    customers: HashMap.toValues(storeCustomers).filter(
      ({ customer }) => isOne(customer.contactId) || isOne(customer.conflictContactId)
    ),
    orders: HashMap.toValues(storeOrders).filter(({ contactId }) => isOne(contactId)),
    carts: HashMap.toValues(storeCarts).filter(({ contactId }) => isOne(contactId))
  }
}

export const layer = Layer.effect(
  ContactCommerceRecords,
  Effect.map(Store, (store) =>
    ContactCommerceRecords.of({
      timeline: (contactId, slice) =>
        store.readTenant((tenant) => {
          const { carts, orders } = heldIn(tenant, new Set([contactId]))
          const standing = orders.filter(({ deletedAt }) => deletedAt === null)
          return newestFirst([...standing.flatMap(orderEntries), ...carts.map(cartEntry)], slice)
        }),
      heldBy: (contactId, limit) =>
        store.readTenant((tenant) => {
          const { carts, customers, orders } = heldIn(tenant, new Set([contactId]))
          return {
            customers: customers
              .filter(({ closedAt, customer }) => closedAt === null && customer.contactId === contactId)
              .toSorted(Order.flip(Order.mapInput(Order.String, ({ customer }: StoredCustomer) => customer.id)))
              .slice(0, limit),
            orders: orders
              .filter(({ deletedAt }) => deletedAt === null)
              .toSorted(latestFirst(({ record }) => record.placedAt))
              .slice(0, limit),
            carts: carts.toSorted(latestFirst(({ record }) => record.updatedAt)).slice(0, limit)
          }
        }),
      lock: (contactIds) =>
        Effect.andThen(
          store.exclusive,
          store.readTenant((tenant) => heldIn(tenant, new Set(contactIds)))
        ),
      removeCarts: (ids) =>
        store.writeTenant(({ storeCarts }) => [
          undefined,
          { storeCarts: HashMap.filter(storeCarts, ({ id }) => !ids.includes(id)) }
        ]),
      read: (contactId, orders) => store.readTenant((tenant) => read(tenant, contactId, orders)),
      readOfConversation: (id, orders) =>
        Effect.filterOrFail(
          store.readTenant((tenant) => {
            const row = rowAt(tenant.conversations, id)
            return row === null ? null : read(tenant, row.conversation.contactId, orders)
          }),
          (rows) => rows !== null,
          () => new NotFound({ resource: "conversation" })
        )
    })
  )
)
