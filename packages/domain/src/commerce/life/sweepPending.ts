import { DateTime, Effect } from "effect"
import { Locks, transact } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { StoreConnections } from "../StoreConnections.ts"

/** How long somebody may take to agree in a shop. */
const longestPending = { hours: 24 } as const

const pageSize = 100

const removeOld = Effect.fnUntraced(function* (after: ReadonlyArray<string> | null) {
  yield* (yield* Locks).exclusive("store_connections")
  const connections = yield* StoreConnections
  const before = DateTime.subtract(yield* DateTime.now, longestPending)
  const pending = yield* connections.list("pending", { limit: pageSize, after })
  for (const { id } of pending.filter(({ createdAt }) => DateTime.isLessThanOrEqualTo(createdAt, before))) {
    yield* Effect.orDie(connections.remove(id, null))
    yield* appendEvent({ type: "store_connection.removed", storeConnectionId: id })
  }
  const last = pending.at(-1)
  return last === undefined || pending.length < pageSize ? null : [last.id]
}, transact)

/** Removes the connections that nobody has agreed to within a day. */
export const sweepPending = Effect.gen(function* () {
  let after = yield* removeOld(null)
  while (after !== null) after = yield* removeOld(after)
})
