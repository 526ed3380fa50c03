import { customerSearchText, type StoredCustomer, StoreCustomers } from "@parley/domain/commerce"
import { DateTime, Effect, HashMap, Layer } from "effect"
import type { Tenant } from "../store/State.ts"
import { Store } from "../store/Store.ts"
import { readingRecords, withRows } from "./records.ts"

const openOf = ({ storeCustomers }: Tenant) =>
  HashMap.toValues(storeCustomers).filter(({ closedAt }) => closedAt === null)

const records = readingRecords("customer", openOf, (kept: StoredCustomer) => ({
  ...kept.customer,
  search: customerSearchText(kept)
}))

interface Following {
  readonly storeConnectionId: string
  readonly contactId: StoredCustomer["customer"]["contactId"]
  readonly updatedAt: DateTime.Utc
  readonly record: { readonly externalCustomerId: string | null }
}

const following =
  (customers: ReadonlyArray<StoredCustomer>) =>
  <Row extends Following>(row: Row): Row => {
    const owner = customers.find(
      ({ customer }) =>
        customer.storeConnectionId === row.storeConnectionId && customer.externalId === row.record.externalCustomerId
    )
    return owner === undefined || owner.customer.contactId === row.contactId
      ? row
      : {
          ...row,
          contactId: owner.customer.contactId,
          updatedAt: DateTime.max(row.updatedAt, owner.customer.updatedAt)
        }
  }

export const layer = Layer.effect(
  StoreCustomers,
  Effect.map(Store, (store) => {
    const inStore = Effect.provideService(Store, store)
    return StoreCustomers.of({
      get: (id) => inStore(records.get(id)),
      list: (query, slice) => inStore(records.list(query, slice)),
      idsOf: (refs) =>
        store.readTenant((tenant) =>
          openOf(tenant).flatMap(({ customer: { externalId, id, storeConnectionId } }) =>
            refs.some((ref) => ref.externalId === externalId && ref.storeConnectionId === storeConnectionId)
              ? [{ id, externalId, storeConnectionId }]
              : []
          )
        ),
      lock: (storeConnectionId, externalIds) =>
        Effect.andThen(
          store.exclusive,
          store.readTenant(({ storeCustomers }) =>
            HashMap.toValues(storeCustomers).filter(
              ({ customer }) =>
                customer.storeConnectionId === storeConnectionId && externalIds.includes(customer.externalId)
            )
          )
        ),
      put: (customers) =>
        store.writeTenant(({ storeCarts, storeCustomers, storeOrders }) => {
          const follow = following(customers)
          return [
            undefined,
            {
              storeCustomers: withRows(storeCustomers, customers, ({ customer }) => customer.id),
              storeOrders: HashMap.map(storeOrders, follow),
              storeCarts: HashMap.map(storeCarts, follow)
            }
          ]
        })
    })
  })
)
