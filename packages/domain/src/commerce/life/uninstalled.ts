import { DateTime, Effect } from "effect"
import { connectionAfter } from "../connections/connectionStatus.ts"
import type { StoreConnectionId } from "../Ids.ts"
import { StoreConnections } from "../StoreConnections.ts"
import { changeConnection } from "./changeConnection.ts"

/**
 * Takes that the app is gone in a shop: what the shop was read with is forgotten, and what is known of it stays as it is. What happened before the app
 * was installed there again changes nothing.
 */
export const uninstalled = (id: StoreConnectionId, at: DateTime.Utc) =>
  changeConnection(
    id,
    Effect.fnUntraced(function* (before, now) {
      const status = connectionAfter(before.status, "uninstall")
      if (status === null || (before.connectedAt !== null && DateTime.isLessThan(at, before.connectedAt))) return null
      const connections = yield* StoreConnections
      // Whoever has it renewed at the moment must not bring it back.
      yield* connections.lockSecrets(id)
      yield* Effect.orDie(connections.keepSecrets(id, null))
      return { status, uninstalledAt: now }
    })
  )
