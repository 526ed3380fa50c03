import { DateTime, Effect } from "effect"
import { Contacts } from "../crm/index.ts"
import { foldText, NotFound } from "../kernel/index.ts"
import type { KeptCart } from "./Cart.ts"
import type { CommerceRows } from "./ContactCommerce.ts"
import type { CommerceQuery } from "./Ids.ts"
import type { KeptOrder } from "./Order.ts"
import { type KeptProduct, StoreProducts } from "./Product.ts"
import { SkippedRecords } from "./SkippedRecords.ts"
import type { StoreConnection } from "./StoreConnection.ts"
import { StoreConnections } from "./StoreConnections.ts"
import { type KeptCustomer, StoreCustomers } from "./StoreCustomer.ts"
import { StoreMarks } from "./StoreMarks.ts"
import { refsOf, showing, shownCommerce, shownConnection } from "./shown.ts"

const showingAll = Effect.fnUntraced(function* (records: Parameters<typeof refsOf>[0]) {
  const { customers, products } = refsOf(records)
  return showing({
    customerIds: yield* (yield* StoreCustomers).idsOf(customers),
    productIds: yield* (yield* StoreProducts).idsOf(products)
  })
})

/** Orders with what they refer to. */
export const shownOrders = (orders: ReadonlyArray<KeptOrder>) =>
  Effect.map(showingAll(orders), (show) => orders.map(show.order))

/** Carts with what they refer to. */
export const shownCarts = (carts: ReadonlyArray<KeptCart>) =>
  Effect.map(showingAll(carts), (show) => carts.map(show.cart))

/** When the oldest change of each of these stores was told that is not read yet. */
const marksOf = Effect.fnUntraced(function* (connections: ReadonlyArray<StoreConnection>) {
  const marks = yield* (yield* StoreMarks).oldestOf(connections.map(({ id }) => id))
  return new Map(marks.map(({ storeConnectionId, toldAt }) => [storeConnectionId, toldAt]))
})

const skippedOf = Effect.fnUntraced(function* (connections: ReadonlyArray<StoreConnection>) {
  const counts = yield* (yield* SkippedRecords).counts(connections.map(({ id }) => id))
  return new Map(counts.map(({ count, storeConnectionId }) => [storeConnectionId, count]))
})

/** Stores for display: with their current freshness and the number of their skipped records. */
export const showConnections = Effect.fnUntraced(function* (connections: ReadonlyArray<StoreConnection>) {
  const [marks, skipped, now] = [yield* marksOf(connections), yield* skippedOf(connections), yield* DateTime.now]
  return connections.map((connection) =>
    shownConnection(connection, now, marks.get(connection.id) ?? null, skipped.get(connection.id) ?? 0)
  )
})

/** A store for display: with its current freshness and the number of its skipped records. */
export const showConnection = Effect.fnUntraced(function* (connection: StoreConnection) {
  const [marks, skipped] = [yield* marksOf([connection]), yield* skippedOf([connection])]
  const { id } = connection
  return shownConnection(connection, yield* DateTime.now, marks.get(id) ?? null, skipped.get(id) ?? 0)
})

/** What all stores know of a contact as it is shown, with how fresh each of them is now. */
export const showCommerce = Effect.fnUntraced(function* (rows: CommerceRows) {
  return shownCommerce(rows, yield* DateTime.now, yield* marksOf(rows.connections))
})

/** Refuses to look for what is not there, so that a slip is no empty list. */
export const requireStore = Effect.fnUntraced(function* ({
  storeConnectionId
}: Pick<CommerceQuery, "storeConnectionId">) {
  if (storeConnectionId === null) return
  const [connection] = yield* (yield* StoreConnections).find([storeConnectionId])
  if (connection === undefined)
    return yield* new NotFound({ resource: "store connection", pointer: "/storeConnectionId" })
})

/** As `requireStore`, of the contact, too. */
export const requireAsked = Effect.fnUntraced(function* (query: CommerceQuery) {
  yield* requireStore(query)
  if (query.contactId === null) return
  const [contact] = yield* (yield* Contacts).find([query.contactId])
  if (contact === undefined) return yield* new NotFound({ resource: "contact", pointer: "/contactId" })
})

/** Ends of lines part what is found by itself: no search of one line finds across them. */
const folded = (texts: ReadonlyArray<string | null>): string =>
  texts.flatMap((text) => (text === null || text === "" ? [] : [foldText(text)])).join("\n")

/** What customers are searched by. */
export const customerSearchText = ({ customer: { email, name, phone } }: KeptCustomer): string =>
  folded([name, phone, email])

/** What orders are searched by. */
export const orderSearchText = ({ record: { email, name, phone } }: KeptOrder): string => folded([name, phone, email])

/** What carts are searched by. */
export const cartSearchText = ({ record: { email, lines, phone } }: KeptCart): string =>
  folded([phone, email, ...lines.map(({ title }) => title)])

/** What products are searched by. */
export const productSearchText = ({ product: { title, variants } }: KeptProduct): string =>
  folded([title, ...variants.map(({ sku }) => sku)])
