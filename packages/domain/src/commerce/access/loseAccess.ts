import { DateTime, Effect } from "effect"
import { Locks, transact } from "../../kernel/index.ts"
import { saveConnection } from "../connections/saveConnection.ts"
import type { StoreConnectionId } from "../Ids.ts"
import { StoreConnection } from "../StoreConnection.ts"
import { StoreConnections, type StoreSecrets } from "../StoreConnections.ts"
import { connectionAfter } from "../connections/connectionStatus.ts"

/**
 * Keeps that the shop does not let us in any more with these secrets. If somebody has agreed again in the meantime, they were the former ones, and
 * nothing is lost.
 */
export const loseAccess = Effect.fnUntraced(
  function* (id: StoreConnectionId, lost: StoreSecrets) {
    yield* (yield* Locks).exclusive("store_connections")
    const connections = yield* StoreConnections
    const secrets = yield* connections.lockSecrets(id)
    const before = yield* connections.get(id)
    if (secrets === null || secrets.accessToken !== lost.accessToken) return
    yield* connections.keepSecrets(id, null)
    const at = yield* DateTime.now
    yield* saveConnection(
      before,
      new StoreConnection({
        ...before,
        status: connectionAfter(before.status, "lose") ?? before.status,
        lastError: {
          code: "access_lost",
          reason: "The shop does not let us in any more. Somebody has to agree there again.",
          at
        },
        updatedAt: at
      })
    )
  },
  // It was removed in the meantime.
  Effect.catchTag("NotFound", () => Effect.void),
  transact
)
