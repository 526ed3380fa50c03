import { DateTime, Effect } from "effect"
import type { StoreConnectionId } from "../Ids.ts"
import { StoreConnections } from "../StoreConnections.ts"
import { OrderHoldings } from "../OrderHoldings.ts"
import { StoreCustomers } from "../StoreCustomers.ts"
import { StoreOrders } from "../StoreOrders.ts"
import { forgetCustomers } from "./forgetCustomers.ts"

/** How many customers, and how many records, a step forgets. */
const customersAtOnce = 25
const recordsAtOnce = 1_000

/** `reconnected`: the shop is somebody's again, and nothing more of it is forgotten. */
export type Erasing = "more" | "done" | "reconnected"

/**
 * Forgets some of what is known of a shop that was left at that time or before: first its customers, each with all care for their contacts, then its orders, then every
 * other record. So many steps of it forget the whole shop, wherever they are cut off.
 */
export const eraseSome = Effect.fnUntraced(function* (id: StoreConnectionId, leftAt: DateTime.Utc) {
  const connections = yield* StoreConnections
  const connection = yield* connections.lock(id)
  if (connection === null) return { state: "done" as Erasing, forgotten: 0 }
  const isBack = connection.connectedAt !== null && DateTime.isGreaterThan(connection.connectedAt, leftAt)
  if (isBack || connection.status !== "uninstalled") return { state: "reconnected" as Erasing, forgotten: 0 }
  const customers = yield* (yield* StoreCustomers).list(
    { storeConnectionId: id, contactId: null, updatedSince: null, q: null },
    { limit: customersAtOnce, after: null }
  )
  if (customers.length > 0) {
    yield* forgetCustomers(
      connection,
      customers.map(({ customer }) => customer.externalId)
    )
    return { state: "more" as Erasing, forgotten: customers.length }
  }
  const orders = yield* StoreOrders
  const gone = yield* orders.lockSome(id, recordsAtOnce)
  if (gone.length > 0) {
    yield* (yield* OrderHoldings).remove(gone)
    yield* orders.remove(gone)
    return { state: "more" as Erasing, forgotten: gone.length }
  }
  const forgotten = yield* connections.eraseRecords(id, recordsAtOnce)
  return { state: (forgotten > 0 ? "more" : "done") as Erasing, forgotten }
})
