import { Effect } from "effect"
import { record } from "../../platform/audit/index.ts"
import { Locks, transact, useCase } from "../../kernel/index.ts"
import { addPending } from "../connecting/addPending.ts"
import { beginAuthorization } from "../connecting/begin.ts"
import { checkReturnTo } from "../connecting/checkReturnTo.ts"
import type { ShopDomain } from "../ShopDomain.ts"
import { StoreConnections } from "../StoreConnections.ts"
import { platformOf } from "../StorePlatform.ts"

export interface AuthorizationRequest {
  readonly codeChallenge: string
  readonly returnTo?: string
}

/** The provider whose shops have addresses of this kind. */
const provider = "shopify"

/** Starts a journey to a shop, to connect it or to authorize it again. Only the same actor can complete it, with the verifier of `codeChallenge`. */
export const beginStoreAuthorization = useCase(
  "storeConnections.authorize",
  { access: { permission: "store_connections.manage" } },
  Effect.fnUntraced(function* (shopDomain: ShopDomain, { codeChallenge, returnTo }: AuthorizationRequest) {
    const platform = yield* platformOf({ provider })
    const allowed = yield* checkReturnTo(returnTo)
    yield* (yield* Locks).exclusive("store_connections")
    const known = yield* (yield* StoreConnections).findByDomain(provider, shopDomain)
    if (known !== null) {
      yield* record("store_connection.authorization_begun", { kind: "store_connection", id: known.id })
    }
    const connection =
      known ?? (yield* Effect.catchTag(addPending(provider, shopDomain, {}), "StoreExists", Effect.die))
    const begun = yield* beginAuthorization(
      platform,
      { ...connection, shopDomain },
      { codeChallenge, returnTo: allowed }
    )
    return { ...begun, storeConnectionId: connection.id }
  }, transact)
)
