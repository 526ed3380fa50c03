import { DateTime, Effect } from "effect"
import { Locks, transact } from "../../kernel/index.ts"
import { resealedFor } from "../connecting/secrets.ts"
import { saveConnection } from "../connections/saveConnection.ts"
import type { StoreConnectionId } from "../Ids.ts"
import { StoreConnection } from "../StoreConnection.ts"
import { StoreConnections } from "../StoreConnections.ts"

/** Changes a connection by what its shop tells of itself; `null` changes nothing. One that was removed is left alone. */
export const changeConnection = Effect.fnUntraced(function* <E, R>(
  id: StoreConnectionId,
  change: (before: StoreConnection, now: DateTime.Utc) => Effect.Effect<Partial<StoreConnection> | null, E, R>
) {
  yield* (yield* Locks).exclusive("store_connections")
  const [before] = yield* (yield* StoreConnections).find([id])
  if (before === undefined) return
  const now = yield* DateTime.now
  const said = yield* change(before, now)
  if (said === null) return
  const after = new StoreConnection({ ...before, ...said, updatedAt: now })
  // The secrets open for the domain of the shop, so both change in one commit.
  const secrets = after.shopDomain === before.shopDomain ? null : yield* (yield* StoreConnections).lockSecrets(id)
  yield* saveConnection(before, after)
  if (secrets !== null) {
    const resealed = yield* resealedFor(id, after.shopDomain, secrets)
    yield* Effect.orDie((yield* StoreConnections).keepSecrets(id, resealed))
  }
}, transact)
