import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { layerStorePlatforms, StoreSettings } from "@parley/domain"
import * as Shopify from "@parley/provider-adapters/stores/shopify"
import { Layer, Redacted, Schema } from "effect"

/** The simulated provider of stores, the app that it knows, and where it delivers. */
export const ShopGrounds = Schema.Struct({
  url: Schema.String,
  publicUrl: Schema.String,
  clientId: Schema.String,
  clientSecret: Schema.String,
  /** How long a call of the provider may take. */
  timeoutMillis: Schema.Int
})
export type ShopGrounds = typeof ShopGrounds.Type

/** Stores as the adapter of the provider reads them there. */
export const layerShops = ({ clientId, clientSecret, publicUrl, timeoutMillis, url }: ShopGrounds) =>
  Layer.merge(
    Layer.succeed(StoreSettings, { publicUrl, returnOrigins: [] }),
    layerStorePlatforms({
      shopify: Shopify.make({
        app: { clientId, clientSecret: Redacted.make(clientSecret) },
        furtherScopes: ["read_all_orders", "read_customer_merge"],
        baseUrl: url,
        timeout: timeoutMillis
      })
    }).pipe(Layer.provide(NodeHttpClient.layerUndici))
  )
