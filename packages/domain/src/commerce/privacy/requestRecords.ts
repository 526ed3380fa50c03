import { Effect } from "effect"
import { transact } from "../../kernel/index.ts"
import { StoreOrders } from "../Order.ts"
import { noSubject, type StoredPrivacyRequest } from "../PrivacyRequest.ts"
import { StoreCustomers } from "../StoreCustomer.ts"

/** Finds the customers of the person in a request. */
export const findRequestCustomers = Effect.fnUntraced(function* ({ asked, request }: StoredPrivacyRequest) {
  const externalId = asked?.externalCustomerId ?? null
  if (externalId === null) return []
  const customers = yield* (yield* StoreCustomers).lock(request.storeConnectionId, [externalId])
  return customers.map(({ customer }) => customer)
}, transact)

/** Finds the orders of the person in a request: the requested ones and the orders of the customer. Deleted orders do not count. */
export const findRequestOrders = Effect.fnUntraced(function* ({ asked, request }: StoredPrivacyRequest) {
  const { externalCustomerId, externalOrderIds } = asked ?? noSubject
  const orders = yield* StoreOrders
  const { storeConnectionId } = request
  const found = [
    ...(externalCustomerId === null ? [] : yield* orders.lockOfCustomer(storeConnectionId, externalCustomerId)),
    ...(yield* orders.lock(storeConnectionId, externalOrderIds))
  ]
  const kept = found.filter(({ deletedAt }) => deletedAt === null)
  return [...new Map(kept.map((order) => [order.id, order])).values()]
}, transact)
