import { type DateTime, Effect } from "effect"
import { appendEvent } from "../appendEvent.ts"
import type { StoreConnectionId } from "../Ids.ts"
import { StoreConnections } from "../StoreConnections.ts"
import { eraseSome } from "./eraseSome.ts"

/** A step of removing a store: once all that is known of the shop is forgotten, the connection goes too. */
export const removeSome = Effect.fnUntraced(
  function* (id: StoreConnectionId, leftAt: DateTime.Utc) {
    const step = yield* eraseSome(id, leftAt)
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
