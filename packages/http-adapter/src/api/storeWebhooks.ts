import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { alsoReads, area, describe, readsAnyType } from "./describe.ts"
import { RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"

const Delivered = HttpApiSchema.Empty(200)

/** More bytes than any service takes in as one delivery; how many it does is a setting. */
const mostBytes = 100 * 1024 * 1024

/** The signature covers the raw bytes, so nothing may read them before. */
const delivery = () => HttpApiSchema.StreamUint8Array({ contentType: "application/json", maxBytes: mostBytes })

const deliveryExample = {
  "application/json": {
    schema: { type: "object", description: "Delivery in the format of the provider." },
    example: { id: 820982911946154500, checkout_token: "b1946ac92492d2347c6235b4d2611184" }
  }
}

const provider = Schema.String.check(Schema.isMaxCodePoints(64)).annotateKey({
  description: "Provider of the shop: `shopify`."
})

const receiving = () =>
  ({
    payload: delivery(),
    success: Delivered,
    error: [Problems.WebhookSignatureInvalid, Problems.TooLarge]
  }) as const

const signed =
  "Signed in `X-Shopify-Hmac-Sha256` over the raw bytes with the current or the previous secret of the app. Any `Content-Type` is accepted. `X-Shopify-Topic` names the topic. Any path under `/webhooks/storefront/` is accepted: without that header, the segments after the provider name the topic, as in `/webhooks/storefront/shopify/orders/create`. The answer is sent after the delivery is stored. The delivery is processed immediately after the answer, and a repetition within two weeks changes nothing. At most 3 MiB, unless the service is configured otherwise. The same endpoint is also available at `/api/v1/webhooks/storefront/{provider}`."

/** The same endpoint at a second path. The reference describes it once. */
const alias = OpenApi.annotations({ exclude: true })

const [one, any] = ["/webhooks/storefront/:provider", "/webhooks/storefront/*"] as const

/** Endpoints for shops: no token, no organization header, no rate limit. */
export class StoreWebhooksApi extends HttpApiGroup.make("storeWebhooks")
  .add(
    HttpApiEndpoint.post("receive", one, { ...receiving(), params: { provider } })
      .annotateMerge(describe("receiveStoreDelivery", "Receive a store delivery", signed))
      .annotateMerge(alsoReads(deliveryExample))
      .annotateMerge(readsAnyType),
    HttpApiEndpoint.post("receiveAnywhere", any, receiving()).annotateMerge(alias).annotateMerge(readsAnyType),
    HttpApiEndpoint.post("receiveUnderPrefix", `/api/v1${one}`, { ...receiving(), params: { provider } })
      .annotateMerge(alias)
      .annotateMerge(readsAnyType),
    HttpApiEndpoint.post("receiveAnywhereUnderPrefix", `/api/v1${any}`, receiving())
      .annotateMerge(alias)
      .annotateMerge(readsAnyType)
  )
  .middleware(RequestFaults)
  .annotateMerge(area("Store webhooks", "Endpoints for shops: deliveries of changes.")) {}
