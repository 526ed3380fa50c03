import { DateTime, Duration, Effect } from "effect"
import { CurrentActor, Ids, permissionsOf, refer, Vault } from "../../kernel/index.ts"
import { StoreAuthorizations } from "../StoreAuthorizations.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import type { StorePlatform } from "../StorePlatform.ts"
import { StoreSettings } from "../StoreSettings.ts"

const stateBytes = 32
const goodFor = Duration.minutes(10)

/** Where providers send people back to. */
export const callbackPath = "/api/v1/integrations/storefront/callback"

/** Sends whoever acts to the shop, to agree there. What they come back with is good once. */
export const beginAuthorization = Effect.fnUntraced(function* (
  platform: StorePlatform,
  { id: storeConnectionId, provider, shopDomain }: Pick<StoreConnection, "id" | "provider" | "shopDomain">,
  returnTo: string | null
) {
  const actor = yield* CurrentActor
  const { publicUrl } = yield* StoreSettings
  const state = yield* (yield* Ids).secret(stateBytes)
  const expiresAt = DateTime.addDuration(yield* DateTime.now, goodFor)
  const permissions = [...permissionsOf(actor)]
  yield* (yield* StoreAuthorizations).insert(
    yield* (yield* Vault).digest(state),
    { storeConnectionId, provider, shopDomain, actor: refer(actor), permissions, returnTo },
    expiresAt
  )
  return { authorizeUrl: platform.authorizeUrl(shopDomain, state, `${publicUrl}${callbackPath}`), expiresAt }
})
