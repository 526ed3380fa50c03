import { DateTime, Effect, Schema } from "effect"
import { Timestamp, transact } from "../../kernel/index.ts"
import { defineJob } from "../../platform/jobs/index.ts"
import { StoreConnectionId } from "../Ids.ts"
import { OrderLifecycleHooks, StoreOrders } from "../Order.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import { StoreConnections } from "../StoreConnections.ts"
import { StoreCustomers } from "../StoreCustomer.ts"
import { appendEvent } from "../events.ts"
import { eraseCustomers } from "./eraseCustomers.ts"

/** How many customers, and how many records, a step forgets. */
const customerBatchSize = 25
const recordBatchSize = 1_000

/** `reconnected`: the shop is somebody's again, and nothing more of it is forgotten. */
export type ErasureState = "more" | "done" | "reconnected"

/**
 * Forgets some of what is known of a shop that was left at that time or before: first its customers, each with all care for their contacts, then its orders, then every
 * other record. So many steps of it forget the whole shop, wherever they are cut off.
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
    yield* (yield* OrderLifecycleHooks).remove(gone)
    yield* orders.remove(gone)
    return { state: "more" as ErasureState, forgotten: gone.length }
  }
  const forgotten = yield* connections.eraseRecords(id, recordBatchSize)
  return { state: (forgotten > 0 ? "more" : "done") as ErasureState, forgotten }
})

/** A step of removing a store: once all that is known of the shop is forgotten, the connection goes too. */
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
  // It is locked.
  Effect.catchTags({ NotFound: Effect.die, VersionConflict: Effect.die })
)

/** Forgets a shop that somebody has disconnected, and removes its connection, unless it is connected again in the meantime. */
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

/** How long what is known of a shop is kept after the app is gone there: whoever installs it again finds it. */
const uninstalledRetention = { days: 30 } as const

const pageSize = 100

/** Removes the stores that the app has been gone from for too long. */
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
