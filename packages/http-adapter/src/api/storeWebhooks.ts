import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { alsoReads, area, describe, readsAnyType } from "./describe.ts"
import { RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"

const Delivered = HttpApiSchema.Empty(200)

/** More bytes than any service takes in as one delivery; how many it does is a setting. */
const mostBytes = 100 * 1024 * 1024

/** The signature is one of the raw bytes: nothing may read them before. */
const delivery = () => HttpApiSchema.StreamUint8Array({ contentType: "application/json", maxBytes: mostBytes })

const deliveryExample = {
  "application/json": {
    schema: { type: "object", description: "What the shop tells, as its provider writes it." },
    example: { id: 820982911946154500, checkout_token: "b1946ac92492d2347c6235b4d2611184" }
  }
}

const Word = Schema.String.check(Schema.isMaxCodePoints(100, { message: "Expected at most 100 characters" }))

const word = (description: string) => Word.pipe(Schema.annotateKey({ description }))

const ofProvider = { provider: word("The provider of the shop: `shopify`.") }
const ofTopic = { ...ofProvider, topic: word("What it is about, where no header says that.") }
const ofEvent = { ...ofTopic, event: word("What has happened, where the topic is of two words.") }

const receiving = () =>
  ({
    payload: delivery(),
    success: Delivered,
    error: [Problems.WebhookSignatureInvalid, Problems.TooLarge]
  }) as const

const signed = (path: string) =>
  `Signed in \`X-Shopify-Hmac-Sha256\` over its raw bytes with the app's secret, the present one or the one before, and taken in whatever its \`Content-Type\` says. \`X-Shopify-Topic\` says what it is about; the path does where that header is missing. The answer comes when the delivery is stored for good; it is worked through right after, and one that comes again within two weeks changes nothing. At most 3 MiB, unless the service is set up otherwise. It stands at the root and, as the very same, at \`/api/v1${path}\`.`

/** The same as at the root: the reference says so there. */
const alias = OpenApi.annotations({ exclude: true })

const [plain, withTopic, withEvent] = [
  "/webhooks/storefront/:provider",
  "/webhooks/storefront/:provider/:topic",
  "/webhooks/storefront/:provider/:topic/:event"
] as const

/** What shops call: no token, no organization header, and as often as they have to. */
export class StoreWebhooksApi extends HttpApiGroup.make("storeWebhooks")
  .add(
    HttpApiEndpoint.post("receive", plain, { ...receiving(), params: ofProvider })
      .annotateMerge(
        describe("receiveStoreDelivery", "Take in a delivery of a shop", signed("/webhooks/storefront/{provider}"))
      )
      .annotateMerge(alsoReads(deliveryExample))
      .annotateMerge(readsAnyType),
    HttpApiEndpoint.post("receiveTopic", withTopic, { ...receiving(), params: ofTopic })
      .annotateMerge(
        describe(
          "receiveStoreDeliveryAbout",
          "Take in a delivery of a shop about something",
          signed("/webhooks/storefront/{provider}/{topic}")
        )
      )
      .annotateMerge(alsoReads(deliveryExample))
      .annotateMerge(readsAnyType),
    HttpApiEndpoint.post("receiveEvent", withEvent, { ...receiving(), params: ofEvent })
      .annotateMerge(
        describe(
          "receiveStoreDeliveryOf",
          "Take in a delivery of a shop about an event",
          signed("/webhooks/storefront/{provider}/{topic}/{event}")
        )
      )
      .annotateMerge(alsoReads(deliveryExample))
      .annotateMerge(readsAnyType),
    HttpApiEndpoint.post("receiveUnderPrefix", `/api/v1${plain}`, { ...receiving(), params: ofProvider })
      .annotateMerge(alias)
      .annotateMerge(readsAnyType),
    HttpApiEndpoint.post("receiveTopicUnderPrefix", `/api/v1${withTopic}`, { ...receiving(), params: ofTopic })
      .annotateMerge(alias)
      .annotateMerge(readsAnyType),
    HttpApiEndpoint.post("receiveEventUnderPrefix", `/api/v1${withEvent}`, { ...receiving(), params: ofEvent })
      .annotateMerge(alias)
      .annotateMerge(readsAnyType)
  )
  .middleware(RequestFaults)
  .annotateMerge(area("Store webhooks", "What shops call: their deliveries of what has changed.")) {}
