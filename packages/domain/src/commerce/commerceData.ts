import { DateTime, Effect } from "effect"
import { type ContactId, Contacts, identityLookupKey, type MergeStep, type UndoneMerge } from "../crm/index.ts"
import type { Slice } from "../kernel/index.ts"
import { StoreCarts } from "./Cart.ts"
import { ContactCommerceRecords, type ContactCommerceData } from "./ContactCommerce.ts"
import { StoreOrders } from "./Order.ts"
import { StoreConnections } from "./StoreConnections.ts"
import { StoreCustomers } from "./StoreCustomer.ts"
import { eraseCustomer, eraseOrder, transferCommerceData, detached } from "./contactTransfers.ts"
import { customerIdentity } from "./customerIdentities.ts"
import { publishStoredOrders } from "./receiving/receiveOrders.ts"
import { toCartViews, toOrderViews } from "./loadViews.ts"

const put = Effect.fnUntraced(function* ({ carts, customers, orders }: ContactCommerceData) {
  yield* (yield* StoreOrders).put(orders)
  yield* (yield* StoreCarts).put(carts)
  yield* (yield* StoreCustomers).put(customers)
})

/**
 * Finds the data that moves back to a contact when a merge is reversed. It includes customers whose identity the contact has. It also includes guest
 * orders and carts with its phone number or email address.
 */
const findDataToRestore = Effect.fnUntraced(function* (held: ContactCommerceData, to: ContactId) {
  const [contact] = yield* (yield* Contacts).find([to])
  const names = new Set(contact?.identities.map(identityLookupKey))
  const connections = yield* (yield* StoreConnections).find([
    ...new Set(held.customers.map(({ customer }) => customer.storeConnectionId))
  ])
  const customers = held.customers.filter(({ customer }) => {
    const connection = connections.find(({ id }) => id === customer.storeConnectionId)
    return (
      connection?.shopId != null &&
      names.has(identityLookupKey(customerIdentity(connection.provider, connection.shopId, customer.externalId)))
    )
  })
  const isGuests = ({
    email,
    externalCustomerId,
    phone
  }: ContactCommerceData["orders"][number]["record"] | ContactCommerceData["carts"][number]["record"]) =>
    externalCustomerId === null &&
    ((phone !== null && names.has(identityLookupKey({ kind: "phone", value: phone }))) ||
      (email !== null && names.has(identityLookupKey({ kind: "email", value: email }))))
  return {
    customers,
    orders: held.orders.filter(({ record }) => isGuests(record)),
    carts: held.carts.filter(({ record }) => isGuests(record))
  }
})

/** Contact data owner of the store data. Links follow the identities, which merges and their reversal move. */
export const commerceData = {
  permission: "commerce.read" as const,
  timeline: Effect.fnUntraced(function* (contactId: ContactId, slice: Slice) {
    return yield* (yield* ContactCommerceRecords).timeline(contactId, slice)
  }),
  export: Effect.fnUntraced(function* (contactId: ContactId, limit: number) {
    const { carts, customers, orders } = yield* (yield* ContactCommerceRecords).heldBy(contactId, limit)
    return {
      storeCustomers: customers.map(({ customer }) => customer),
      orders: yield* toOrderViews(orders),
      carts: yield* toCartViews(carts)
    }
  }),
  nothing: { storeCustomers: [], orders: [], carts: [] },
  move: Effect.fnUntraced(function* ({ from, to }: MergeStep, now: DateTime.Utc) {
    const held = yield* (yield* ContactCommerceRecords).lock([from])
    yield* put(transferCommerceData(held, from, to, now))
  }),
  moveBack: Effect.fnUntraced(function* ({ from, to }: UndoneMerge, now: DateTime.Utc) {
    const held = yield* (yield* ContactCommerceRecords).lock([from])
    yield* put(transferCommerceData(yield* findDataToRestore(held, to), from, to, now))
  }),
  forget: Effect.fnUntraced(function* (contactIds: ReadonlyArray<ContactId>, erased: boolean) {
    const commerce = yield* ContactCommerceRecords
    const now = yield* DateTime.now
    const gone = new Set(contactIds)
    const held = yield* commerce.lock(contactIds)
    const left = detached(held, gone, now)
    const before = new Map(held.orders.map((order) => [order.id, order]))
    for (const [storeConnectionId, orders] of Map.groupBy(left.orders, (order) => order.storeConnectionId)) {
      yield* publishStoredOrders(
        storeConnectionId,
        orders.map((after) => ({ before: before.get(after.id) ?? null, after }))
      )
    }
    if (!erased) return yield* put(left)
    const theirs = new Set(
      held.customers.flatMap(({ customer: { contactId, id } }) =>
        contactId !== null && gone.has(contactId) ? [id] : []
      )
    )
    yield* put({
      customers: left.customers.map((kept) => (theirs.has(kept.customer.id) ? eraseCustomer(kept, now) : kept)),
      orders: left.orders.map((order) => eraseOrder(order, now)),
      carts: []
    })
    yield* commerce.removeCarts(left.carts.map(({ id }) => id))
  })
}
