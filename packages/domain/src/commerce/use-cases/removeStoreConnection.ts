import { DateTime, Effect } from "effect"
import { record } from "../../platform/audit/index.ts"
import { startJob } from "../../platform/jobs/index.ts"
import { Locks, requireVersion, transact, useCase } from "../../kernel/index.ts"
import { withShop } from "../access/withShop.ts"
import { appendEvent } from "../appendEvent.ts"
import { saveConnection } from "../connections/saveConnection.ts"
import type { StoreConnectionId } from "../Ids.ts"
import { removeStoreJob } from "../privacy/removeStoreJob.ts"
import { StoreConnection } from "../StoreConnection.ts"
import { StoreConnections } from "../StoreConnections.ts"

/** Takes the app out of the shop, as far as it still lets us in. Only a shop that cannot be reached keeps it. */
const uninstall = (id: StoreConnectionId) =>
  withShop(id, ({ access, platform }) => platform.uninstall(access)).pipe(
    Effect.catchTags({
      StoreNotConnected: () => Effect.void,
      StorefrontAppAbsent: () => Effect.void,
      StoreRefused: (error) => Effect.logWarning(`The app was not taken out of the shop of ${id}`, error)
    })
  )

const leave = Effect.fnUntraced(function* (id: StoreConnectionId, expectedVersion: number | null) {
  yield* (yield* Locks).exclusive("store_connections")
  const connections = yield* StoreConnections
  const before = yield* connections.get(id)
  yield* requireVersion(before, expectedVersion)
  yield* record(
    "store_connection.removed",
    { kind: "store_connection", id },
    { before: { provider: before.provider, shopDomain: before.shopDomain, status: before.status } }
  )
  if (before.status === "pending") {
    yield* connections.remove(id, null)
    return yield* appendEvent({ type: "store_connection.removed", storeConnectionId: id })
  }
  const leftAt = yield* DateTime.now
  yield* connections.lockSecrets(id)
  yield* connections.keepSecrets(id, null)
  if (before.status !== "uninstalled") {
    yield* saveConnection(
      before,
      new StoreConnection({ ...before, status: "uninstalled", uninstalledAt: leftAt, updatedAt: leftAt })
    )
  }
  yield* startJob(removeStoreJob, { storeConnectionId: id, leftAt })
}, transact)

/**
 * Disconnects a store: the app is taken out of the shop, and everything that is known of it is forgotten in the background. Until then the
 * connection is `uninstalled`; whoever connects the shop again before that keeps what is left.
 */
export const removeStoreConnection = useCase(
  "storeConnections.remove",
  { access: { permission: "store_connections.manage" } },
  Effect.fnUntraced(function* (id: StoreConnectionId, expectedVersion: number | null) {
    yield* requireVersion(yield* (yield* StoreConnections).get(id), expectedVersion)
    yield* uninstall(id)
    yield* leave(id, expectedVersion)
  })
)
