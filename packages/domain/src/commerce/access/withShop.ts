import { DateTime, Effect } from "effect"
import { openAccessToken } from "../connecting/secrets.ts"
import { StoreNotConnected } from "../Errors.ts"
import type { StoreConnectionId } from "../Ids.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import { StoreConnections, type StoreSecrets } from "../StoreConnections.ts"
import { platformOf, type ShopAccess, type StorePlatform } from "../StorePlatform.ts"
import { loseAccess } from "./loseAccess.ts"
import { isExpiring, renewSecrets } from "./renewSecrets.ts"

/** A shop that can be read. */
export interface OpenShop {
  readonly connection: StoreConnection
  readonly platform: StorePlatform
  readonly access: ShopAccess
}

const open = Effect.fnUntraced(function* (id: StoreConnectionId, isDue: (secrets: StoreSecrets) => boolean) {
  const secrets = yield* renewSecrets(id, isDue)
  const connection = yield* (yield* StoreConnections).get(id)
  if (secrets === null || connection.status !== "connected") {
    return yield* new StoreNotConnected({ storeStatus: connection.status })
  }
  const accessToken = yield* openAccessToken(id, secrets)
  const platform = yield* platformOf(connection)
  return { secrets, shop: { connection, platform, access: { shopDomain: secrets.shopDomain, accessToken } } }
})

const isEnd = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "remedy" in error && error.remedy === "reauthorize"

/**
 * Reads a shop with what it lets us in by, which is renewed five minutes before it ends, and once if the shop refuses it earlier. If it still does, the
 * connection has lost its access. Call it outside of any unit of work: a provider is asked.
 */
export const withShop = Effect.fnUntraced(function* <A, E, R>(
  id: StoreConnectionId,
  use: (shop: OpenShop) => Effect.Effect<A, E, R>
) {
  const now = yield* DateTime.now
  const first = yield* open(id, (secrets) => isExpiring(secrets, now))
  return yield* use(first.shop).pipe(
    Effect.catchIf(isEnd, () =>
      Effect.gen(function* () {
        const second = yield* open(id, ({ accessToken }) => accessToken === first.secrets.accessToken)
        return yield* use(second.shop).pipe(
          Effect.tapError((error) => (isEnd(error) ? loseAccess(id, second.secrets) : Effect.void))
        )
      })
    )
  )
})
