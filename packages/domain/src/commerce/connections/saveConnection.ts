import { Effect } from "effect"
import { appendEvent } from "../appendEvent.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import { StoreConnections } from "../StoreConnections.ts"
import { openStoreLane } from "../syncing/storeLane.ts"

/** Stores a connection that was read under the lock of stores, and tells what became of it. */
export const saveConnection = Effect.fnUntraced(
  function* (before: StoreConnection, after: StoreConnection) {
    const saved = yield* (yield* StoreConnections).save(after, null)
    const storeConnectionId = after.id
    if (before.status !== after.status) {
      if (after.status === "connected") yield* openStoreLane(storeConnectionId, after.updatedAt)
      yield* appendEvent({
        type: "store_connection.status_changed",
        storeConnectionId,
        from: before.status,
        to: after.status
      })
    } else {
      yield* appendEvent({ type: "store_connection.updated", storeConnectionId })
    }
    return saved
  },
  // Under the lock of stores nobody else changes or removes one.
  Effect.catchTags({ NotFound: Effect.die, VersionConflict: Effect.die })
)
