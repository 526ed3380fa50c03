import { NodeHttpClient } from "@effect/platform-node"
import { layerNoStores, layerStorePlatforms, type StorePlatforms, StoreSettings } from "@parley/domain"
import * as Shopify from "@parley/provider-adapters/stores/shopify"
import { Cause, Layer } from "effect"
import { addressOf } from "./addresses.ts"
import { WrongConfiguration } from "./Failure.ts"
import { layerFailure } from "./layerFailure.ts"
import type { Settings } from "./settings.ts"

const incomplete = new WrongConfiguration({
  faults: ["PARLEY_STORE_CLIENT_ID: an app takes its id and PARLEY_STORE_CLIENT_SECRETS. Give both, or none."]
})

/** The providers of stores, as configured: the app at Shopify, or none. Whose pages may call the service may be gone back to. */
export const layerStores = (settings: Settings) => {
  const { corsOrigins, storeApiUrl, storeClientId, storeClientSecrets, storeScopes } = settings
  const [clientId, secrets] = [storeClientId.value, storeClientSecrets.value]
  const publicUrl = addressOf(settings)
  if (clientId === null && secrets === null) return layerNoStores(publicUrl, corsOrigins.value)
  const [clientSecret, formerSecret = null] = secrets ?? []
  if (clientId === null || clientSecret === undefined) {
    return layerFailure<StorePlatforms | StoreSettings, WrongConfiguration>(Cause.fail(incomplete))
  }
  return Layer.mergeAll(
    Layer.succeed(StoreSettings, { publicUrl, returnOrigins: corsOrigins.value }),
    layerStorePlatforms({
      shopify: Shopify.make({
        app: { clientId, clientSecret, formerSecret },
        furtherScopes: storeScopes.value,
        baseUrl: storeApiUrl.value
      })
    }).pipe(Layer.provide(NodeHttpClient.layerUndici))
  )
}
