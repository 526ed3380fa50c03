import { DateTime, Effect } from "effect"
import { CurrentActor, Ids, refer, Vault } from "../../kernel/index.ts"
import { StoreAuthorizations } from "../StoreAuthorizations.ts"
import type { StoreConnection } from "../StoreConnection.ts"
import type { StorePlatform } from "../StorePlatform.ts"
import { StoreSettings } from "../StoreSettings.ts"
import { journeyTimeout, secretBytes } from "./journey.ts"

/** Path of the callback. Providers redirect browsers to it. */
export const callbackPath = "/api/v1/integrations/storefront/callback"

export interface JourneyStart {
  readonly codeChallenge: string
  readonly returnTo: string | null
}

/** Starts a journey of the current actor to a shop. Its state is valid once. */
export const beginAuthorization = Effect.fnUntraced(function* (
  platform: StorePlatform,
  { id: storeConnectionId, provider, shopDomain }: Pick<StoreConnection, "id" | "provider" | "shopDomain">,
  { codeChallenge, returnTo }: JourneyStart
) {
  const actor = refer(yield* CurrentActor)
  const { publicUrl } = yield* StoreSettings
  const state = yield* (yield* Ids).secret(secretBytes)
  const expiresAt = DateTime.addDuration(yield* DateTime.now, journeyTimeout)
  yield* (yield* StoreAuthorizations).insert(
    yield* (yield* Vault).digest(state),
    { storeConnectionId, provider, shopDomain, actor, codeChallenge, returnTo },
    expiresAt
  )
  return { authorizeUrl: platform.authorizeUrl(shopDomain, state, `${publicUrl}${callbackPath}`), expiresAt }
})
