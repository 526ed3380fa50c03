import { layerStorePlatforms, type StorePlatform, StoreRefused } from "@parley/domain"
import { Effect, Layer } from "effect"
import { listAt, textAt } from "../../json.ts"
import { orTooCostly } from "./collections.ts"
import { decodeDelivery, deliveryHeaders } from "./decode.ts"
import { uninstallDocument } from "./documents.ts"
import { makeOauth } from "./oauth.ts"
import { makeReading } from "./reading.ts"
import type { ShopifyOptions } from "./settings.ts"
import * as ShopCalls from "./ShopCalls.ts"
import { deliveryIsSigned } from "./signature.ts"
import { subscribe } from "./subscriptions.ts"

const platform = Effect.gen(function* () {
  const calls = yield* ShopCalls.ShopCalls
  return {
    ...makeOauth(calls),
    ...makeReading(calls),
    uninstall: (access) =>
      Effect.flatMap(
        orTooCostly(calls.query(access, { name: "uninstall", document: uninstallDocument, variables: {} })),
        ({ data }) => {
          const [error] = listAt(data, "appUninstall", "userErrors")
          const reason = textAt(error, "message")
          return reason === null
            ? Effect.void
            : Effect.fail(new StoreRefused({ remedy: "give_up", code: "INVALID", reason, retryAfterMillis: null }))
        }
      ),
    subscribe: subscribe(calls),
    isSigned: deliveryIsSigned(calls.settings),
    deliveryHeaders,
    decode: decodeDelivery
  } satisfies StorePlatform
})

/** Stores on Shopify, through the operator's app, as long as its scope is open. */
export const make = (options: ShopifyOptions) =>
  Effect.flatMap(Layer.build(ShopCalls.layer(options)), (calls) => Effect.provideContext(platform, calls))

/** Shopify as the only platform. */
export const layer = (options: ShopifyOptions) => layerStorePlatforms({ shopify: make(options) })
