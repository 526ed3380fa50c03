import { Effect } from "effect"
import { maxExportedEntries } from "../../crm/index.ts"
import { StoreOrders, type ShopOrderRefs } from "../Order.ts"
import { noSubject, type StoredPrivacyRequest } from "../PrivacyRequest.ts"
import { StoreCustomers } from "../StoreCustomer.ts"

const toCustomerIds = ({ asked }: StoredPrivacyRequest): ReadonlyArray<string> =>
  asked === null || asked.externalCustomerId === null ? [] : [asked.externalCustomerId]

const toOrderRefs = (kept: StoredPrivacyRequest): ShopOrderRefs => ({
  externalIds: (kept.asked ?? noSubject).externalOrderIds,
  externalCustomerIds: toCustomerIds(kept)
})

/** Finds the customers of the person in a request. Closed customers do not count. */
export const findRequestCustomers = Effect.fnUntraced(function* (kept: StoredPrivacyRequest) {
  const customers = yield* StoreCustomers
  const { storeConnectionId } = kept.request
  const known = yield* customers.idsOf(toCustomerIds(kept).map((externalId) => ({ storeConnectionId, externalId })))
  const found = yield* Effect.forEach(known, ({ id }) =>
    Effect.catchTag(customers.get(id), "NotFound", () => Effect.succeed(null))
  )
  return found.flatMap((row) => (row === null ? [] : [row.customer]))
})

/** Counts the orders of the person in a request: the requested ones and the orders of the customer. Deleted orders do not count. */
export const countRequestOrders = Effect.fnUntraced(function* (kept: StoredPrivacyRequest) {
  return yield* (yield* StoreOrders).countReferenced(kept.request.storeConnectionId, toOrderRefs(kept))
})

/** Reads the counted orders of the person. `complete` is false if there are more than an export contains. */
export const findRequestOrders = Effect.fnUntraced(function* (kept: StoredPrivacyRequest) {
  const found = yield* (yield* StoreOrders).referenced(
    kept.request.storeConnectionId,
    toOrderRefs(kept),
    maxExportedEntries + 1
  )
  return { orders: found.slice(0, maxExportedEntries), complete: found.length <= maxExportedEntries }
})
