import { DateTime, Effect } from "effect"
import { Locks, transact, useCase } from "../../kernel/index.ts"
import { shownConnection } from "../commerce/shown.ts"
import { addPending } from "../connecting/addPending.ts"
import { beginAuthorization } from "../connecting/begin.ts"
import { checkReturnTo } from "../connecting/checkReturnTo.ts"
import { StoreExists } from "../Errors.ts"
import { type NewStoreConnection, PendingStoreConnection } from "../StoreConnection.ts"
import { StoreConnections } from "../StoreConnections.ts"
import { platformOf } from "../StorePlatform.ts"

/** Starts to connect a store. It is pending until the same actor completes the journey. */
export const connectStore = useCase(
  "storeConnections.connect",
  { access: { permission: "store_connections.manage" } },
  Effect.fnUntraced(function* ({ codeChallenge, provider, returnTo, shopDomain, ...settings }: NewStoreConnection) {
    const platform = yield* platformOf({ provider })
    const allowed = yield* checkReturnTo(returnTo)
    yield* (yield* Locks).exclusive("store_connections")
    const known = yield* (yield* StoreConnections).findByDomain(provider, shopDomain)
    if (known !== null) return yield* new StoreExists({ storeConnectionId: known.id })
    const connection = yield* addPending(provider, shopDomain, settings)
    const { authorizeUrl, expiresAt } = yield* beginAuthorization(platform, connection, {
      codeChallenge,
      returnTo: allowed
    })
    return new PendingStoreConnection({
      ...shownConnection(connection, yield* DateTime.now),
      authorizeUrl,
      authorizeExpiresAt: expiresAt
    })
  }, transact)
)
