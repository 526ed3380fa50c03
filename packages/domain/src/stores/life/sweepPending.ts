import { DateTime, Effect } from "effect"
import { Locks, transact } from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { StoreConnections } from "../StoreConnections.ts"

/** How long somebody may take to agree in a shop. */
const longestPending = { hours: 24 } as const

const mostAtOnce = 100

const sweepSome = Effect.fnUntraced(function* () {
  yield* (yield* Locks).exclusive("store_connections")
  const connections = yield* StoreConnections
  const before = DateTime.subtract(yield* DateTime.now, longestPending)
  const pending = yield* connections.list("pending", { limit: mostAtOnce, after: null })
  const old = pending.filter(({ createdAt }) => DateTime.isLessThanOrEqualTo(createdAt, before))
  for (const { id } of old) {
    yield* Effect.orDie(connections.remove(id, null))
    yield* appendEvent({ type: "store_connection.removed", storeConnectionId: id })
  }
  return old.length
}, transact)

/** Removes the connections that nobody has agreed to within a day. */
export const sweepPending = Effect.asVoid(Effect.repeat(sweepSome(), { while: (swept) => swept === mostAtOnce }))
