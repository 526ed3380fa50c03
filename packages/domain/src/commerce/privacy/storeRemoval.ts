import { DateTime, Effect, Schema } from "effect"
import { Timestamp, transact } from "../../kernel/index.ts"
import { defineJob } from "../../platform/jobs/index.ts"
import { StoreConnectionId } from "../Ids.ts"
import { OrderLifecycleHook, StoreOrders } from "../Order.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import { StoreConnections } from "../StoreConnections.ts"
import { StoreCustomers } from "../StoreCustomer.ts"
import { appendEvent } from "../events.ts"
import { eraseCustomers } from "./eraseCustomers.ts"

/** Numbers of customers and of records that a step erases. */
const customerBatchSize = 25
const recordBatchSize = 1_000

/** `reconnected`: an organization has connected the shop again, and the erasure stops. */
export type ErasureState = "more" | "done" | "reconnected"

/**
 * Erases a batch of the data of a shop that was left at `leftAt` or before. Customers come first, with their contacts, then orders, then all other
 * records. Repeated steps erase the whole shop, and each step can be interrupted.
 */
export const eraseBatch = Effect.fnUntraced(function* (id: StoreConnectionId, leftAt: DateTime.Utc) {
  const connections = yield* StoreConnections
  const connection = yield* connections.lock(id)
  if (connection === null) return { state: "done" as ErasureState, forgotten: 0 }
  const isBack = connection.connectedAt !== null && DateTime.isGreaterThan(connection.connectedAt, leftAt)
  if (isBack || connection.status !== "uninstalled") return { state: "reconnected" as ErasureState, forgotten: 0 }
  const customers = yield* (yield* StoreCustomers).list(
    { storeConnectionId: id, contactId: null, updatedSince: null, q: null },
    { limit: customerBatchSize, after: null }
  )
  if (customers.length > 0) {
    yield* eraseCustomers(
      connection,
      customers.map(({ customer }) => customer.externalId)
    )
    return { state: "more" as ErasureState, forgotten: customers.length }
  }
  const orders = yield* StoreOrders
  const gone = yield* orders.lockSome(id, recordBatchSize)
  if (gone.length > 0) {
    yield* (yield* OrderLifecycleHook).remove(gone)
    yield* orders.remove(gone)
    return { state: "more" as ErasureState, forgotten: gone.length }
  }
  const forgotten = yield* connections.eraseRecords(id, recordBatchSize)
  return { state: (forgotten > 0 ? "more" : "done") as ErasureState, forgotten }
})

/** Runs a step of the removal of a store. The last step removes the connection. */
const removeBatch = Effect.fnUntraced(
  function* (id: StoreConnectionId, leftAt: DateTime.Utc) {
    const step = yield* eraseBatch(id, leftAt)
    const connections = yield* StoreConnections
    if (step.state === "done" && (yield* connections.find([id])).length > 0) {
      yield* connections.remove(id, null)
      yield* appendEvent({ type: "store_connection.removed", storeConnectionId: id })
    }
    return step
  },
  // The connection is locked.
  Effect.catchTags({ NotFound: Effect.die, VersionConflict: Effect.die })
)

/** Erases a disconnected shop and removes its connection, unless it is connected again before the end. */
export const removeStoreJob = defineJob({
  name: "stores.remove",
  needs: null,
  input: Schema.Struct({ storeConnectionId: StoreConnectionId, leftAt: Timestamp }),
  checkpoint: Schema.Struct({ forgotten: Schema.Int }),
  step: Effect.fnUntraced(function* ({ leftAt, storeConnectionId }, checkpoint) {
    const { forgotten, state } = yield* removeBatch(storeConnectionId, leftAt)
    const sum = (checkpoint?.forgotten ?? 0) + forgotten
    return {
      checkpoint: { forgotten: sum },
      done: state !== "more",
      progress: { done: sum, total: null },
      counts: { forgotten: sum }
    }
  })
})

/** Retention of shop data after an uninstall. A reinstall within this time finds it again. */
const uninstalledRetention = { days: 30 } as const

const pageSize = 100

/** Removes stores whose app was uninstalled longer ago than the retention. */
export const sweepUninstalled = Effect.gen(function* () {
  const connections = yield* StoreConnections
  const before = DateTime.subtract(yield* DateTime.now, uninstalledRetention)
  let after: ReadonlyArray<string> | null = null
  for (;;) {
    const page: ReadonlyArray<StoreConnection> = yield* connections.list("uninstalled", { limit: pageSize, after })
    for (const { id, uninstalledAt } of page) {
      if (uninstalledAt === null || DateTime.isGreaterThan(uninstalledAt, before)) continue
      yield* Effect.repeat(transact(removeBatch(id, uninstalledAt)), { while: ({ state }) => state === "more" })
    }
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    after = [last.id]
  }
})
