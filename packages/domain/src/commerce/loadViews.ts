import { DateTime, Effect } from "effect"
import { Contacts } from "../crm/index.ts"
import { normalizeForSearch, NotFound } from "../kernel/index.ts"
import type { StoredCart } from "./Cart.ts"
import type { StoredContactCommerce } from "./ContactCommerce.ts"
import type { CommerceQuery } from "./Ids.ts"
import type { StoredOrder } from "./Order.ts"
import { type StoredProduct, StoreProducts } from "./Product.ts"
import { SkippedRecords } from "./SkippedRecords.ts"
import type { StoreConnection } from "./StoreConnection.ts"
import { StoreConnections } from "./StoreConnections.ts"
import { type StoredCustomer, StoreCustomers } from "./StoreCustomer.ts"
import { StaleRecords } from "./StaleRecords.ts"
import { collectRefs, makeRecordViews, toCommerceView, toConnectionView } from "./recordViews.ts"

const loadRecordViews = Effect.fnUntraced(function* (records: Parameters<typeof collectRefs>[0]) {
  const { customers, products } = collectRefs(records)
  return makeRecordViews({
    customerIds: yield* (yield* StoreCustomers).idsOf(customers),
    productIds: yield* (yield* StoreProducts).idsOf(products)
  })
})

/** Resolves the references of orders for display. */
export const toOrderViews = (orders: ReadonlyArray<StoredOrder>) =>
  Effect.map(loadRecordViews(orders), (show) => orders.map(show.order))

/** Resolves the references of carts for display. */
export const toCartViews = (carts: ReadonlyArray<StoredCart>) =>
  Effect.map(loadRecordViews(carts), (show) => carts.map(show.cart))

/** Reads the time of the oldest stale record of each store. */
const loadOldestStaleTimes = Effect.fnUntraced(function* (connections: ReadonlyArray<StoreConnection>) {
  const marks = yield* (yield* StaleRecords).oldestOf(connections.map(({ id }) => id))
  return new Map(marks.map(({ storeConnectionId, toldAt }) => [storeConnectionId, toldAt]))
})

const loadSkippedCounts = Effect.fnUntraced(function* (connections: ReadonlyArray<StoreConnection>) {
  const counts = yield* (yield* SkippedRecords).counts(connections.map(({ id }) => id))
  return new Map(counts.map(({ count, storeConnectionId }) => [storeConnectionId, count]))
})

/** Builds the views of stores, with their current freshness and the number of their skipped records. */
export const loadConnectionViews = Effect.fnUntraced(function* (connections: ReadonlyArray<StoreConnection>) {
  const [marks, skipped, now] = [
    yield* loadOldestStaleTimes(connections),
    yield* loadSkippedCounts(connections),
    yield* DateTime.now
  ]
  return connections.map((connection) =>
    toConnectionView(connection, now, marks.get(connection.id) ?? null, skipped.get(connection.id) ?? 0)
  )
})

/** Builds the view of a store, with its current freshness and the number of its skipped records. */
export const loadConnectionView = Effect.fnUntraced(function* (connection: StoreConnection) {
  const [marks, skipped] = [yield* loadOldestStaleTimes([connection]), yield* loadSkippedCounts([connection])]
  const { id } = connection
  return toConnectionView(connection, yield* DateTime.now, marks.get(id) ?? null, skipped.get(id) ?? 0)
})

/** Builds the view of a contact across all stores, with the current freshness of each store. */
export const loadCommerceView = Effect.fnUntraced(function* (rows: StoredContactCommerce) {
  return toCommerceView(rows, yield* DateTime.now, yield* loadOldestStaleTimes(rows.connections))
})

/** Fails if the store of a query does not exist. A typo must not return an empty list. */
export const requireStore = Effect.fnUntraced(function* ({
  storeConnectionId
}: Pick<CommerceQuery, "storeConnectionId">) {
  if (storeConnectionId === null) return
  const [connection] = yield* (yield* StoreConnections).find([storeConnectionId])
  if (connection === undefined)
    return yield* new NotFound({ resource: "store connection", pointer: "/storeConnectionId" })
})

/** Fails if the store or the contact of a query does not exist. */
export const requireQueryTargets = Effect.fnUntraced(function* (
  query: Pick<CommerceQuery, "contactId" | "storeConnectionId">
) {
  yield* requireStore(query)
  if (query.contactId === null) return
  const [contact] = yield* (yield* Contacts).find([query.contactId])
  if (contact === undefined) return yield* new NotFound({ resource: "contact", pointer: "/contactId" })
})

/** Joins texts with line ends. A search term of one line then cannot match across two texts. */
const normalizeTexts = (texts: ReadonlyArray<string | null>): string =>
  texts.flatMap((text) => (text === null || text === "" ? [] : [normalizeForSearch(text)])).join("\n")

export const customerSearchText = ({ customer: { email, name, phone } }: StoredCustomer): string =>
  normalizeTexts([name, phone, email])

export const cartSearchText = ({ record: { email, lines, phone } }: StoredCart): string =>
  normalizeTexts([phone, email, ...lines.map(({ title }) => title)])

export const productSearchText = ({ product: { title, variants } }: StoredProduct): string =>
  normalizeTexts([title, ...variants.map(({ sku }) => sku)])
