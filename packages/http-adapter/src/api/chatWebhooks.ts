import { OrganizationId } from "@parley/domain/kernel"
import { ChatAccountId } from "@parley/domain/messaging"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { alsoReads, area, describe, readsAnyType } from "./describe.ts"
import { RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"

const optionalText = (description: string) =>
  Schema.optionalKey(
    Schema.String.check(Schema.isMaxCodePoints(1_000, { message: "Expected at most 1000 characters" }))
  ).annotateKey({ description })

/** A provider may add its own parameters. */
const Handshake = Schema.StructWithRest(
  Schema.Struct({
    "hub.mode": optionalText("`subscribe`."),
    "hub.verify_token": optionalText("Verify token of the webhook."),
    "hub.challenge": optionalText("What to answer.")
  }),
  [Schema.Record(Schema.String, Schema.Unknown)]
)

const ofOrganization = {
  organization_id: OrganizationId.pipe(Schema.annotateKey({ description: "Id of the organization of the app." }))
}

const ofAccount = {
  ...ofOrganization,
  chat_account_id: ChatAccountId.pipe(Schema.annotateKey({ description: "Id of the chat account with its own URL." }))
}

const Challenge = Schema.String.pipe(HttpApiSchema.asText())
const Delivered = HttpApiSchema.Empty(200)

/** More bytes than any service takes in as one delivery; how many it does is a setting. */
const mostBytes = 100 * 1024 * 1024

/** The signature covers the raw bytes, so nothing may read them before. */
const delivery = () => HttpApiSchema.StreamUint8Array({ contentType: "application/json", maxBytes: mostBytes })

const deliveryExample = {
  "application/json": {
    schema: { type: "object", description: "Delivery in the format of the provider." },
    example: { object: "whatsapp_business_account", entry: [] }
  }
}

const messageExample = {
  "application/json": {
    schema: {
      type: "object",
      description: "A `type`, a `timestamp`, and the `data` of that type: `message.received` or `message.status`.",
      required: ["type", "timestamp", "data"],
      properties: {
        type: { type: "string" },
        timestamp: { type: "string", format: "date-time" },
        data: { type: "object" }
      }
    },
    example: {
      type: "message.received",
      timestamp: "2026-11-12T08:30:00.000Z",
      data: { id: "m-1", from: { externalId: "crm-1867", name: "Ada Lovelace" }, text: "Is my order on its way?" }
    }
  }
}

const signed =
  "The raw bytes are signed in `X-Hub-Signature-256`. Any `Content-Type` is accepted. The answer is sent after the delivery is stored. The delivery is processed immediately after the answer, and a repetition changes nothing. At most 3 MiB, unless the service is configured otherwise; the provider sends up to 3 MB."

const atRoot = (path: string) => `The same endpoint is also available at \`/api/v1${path}\`.`

/** The same as at the root. The reference explains it there. */
const alias = OpenApi.annotations({ exclude: true })

const verifying = { query: Handshake, success: Challenge, error: Problems.WebhookForbidden } as const
const receiving = () =>
  ({
    payload: delivery(),
    success: Delivered,
    error: [Problems.WebhookSignatureInvalid, Problems.TooLarge]
  }) as const

const receivingForAccount = () =>
  ({
    payload: delivery(),
    success: Delivered,
    error: [Problems.WebhookSignatureInvalid, Problems.ValidationFailed, Problems.TooLarge]
  }) as const

/** What the chat provider calls: no token, no organization header, and as often as it has to. */
export class ChatWebhooksApi extends HttpApiGroup.make("chatWebhooks")
  .add(
    HttpApiEndpoint.get("verifyPlatform", "/webhooks/chat", verifying).annotateMerge(
      describe("verifyPlatformChatWebhook", "Verify the platform app webhook", atRoot("/webhooks/chat"))
    ),
    HttpApiEndpoint.post("receivePlatform", "/webhooks/chat", receiving())
      .annotateMerge(
        describe(
          "receivePlatformChatDelivery",
          "Receive a platform app delivery",
          `${signed} Each organization receives the parts about its own numbers. ${atRoot("/webhooks/chat")}`
        )
      )
      .annotateMerge(alsoReads(deliveryExample))
      .annotateMerge(readsAnyType),
    HttpApiEndpoint.get("verifyOwn", "/webhooks/chat/:organization_id", {
      ...verifying,
      params: ofOrganization
    }).annotateMerge(
      describe("verifyOwnChatWebhook", "Verify the webhook of an own app", atRoot("/webhooks/chat/{organization_id}"))
    ),
    HttpApiEndpoint.post("receiveOwn", "/webhooks/chat/:organization_id", { ...receiving(), params: ofOrganization })
      .annotateMerge(
        describe(
          "receiveOwnChatDelivery",
          "Receive a delivery of an own app",
          `${signed} ${atRoot("/webhooks/chat/{organization_id}")}`
        )
      )
      .annotateMerge(alsoReads(deliveryExample))
      .annotateMerge(readsAnyType),
    HttpApiEndpoint.post("receiveForAccount", "/webhooks/chat/:organization_id/:chat_account_id", {
      ...receivingForAccount(),
      params: ofAccount
    })
      .annotateMerge(
        describe(
          "receiveAccountDelivery",
          "Receive a delivery of a webhook account",
          `Signed as Standard Webhooks (\`webhook-id\`, \`webhook-timestamp\`, \`webhook-signature\`) with the signing secret of the account, within five minutes. An incomplete delivery is refused with the missing fields. ${atRoot("/webhooks/chat/{organization_id}/{chat_account_id}")}`
        )
      )
      .annotateMerge(alsoReads(messageExample))
      .annotateMerge(readsAnyType),
    HttpApiEndpoint.post("receiveForAccountUnderPrefix", "/api/v1/webhooks/chat/:organization_id/:chat_account_id", {
      ...receivingForAccount(),
      params: ofAccount
    })
      .annotateMerge(alias)
      .annotateMerge(readsAnyType),
    HttpApiEndpoint.get("verifyPlatformUnderPrefix", "/api/v1/webhooks/chat", verifying).annotateMerge(alias),
    HttpApiEndpoint.post("receivePlatformUnderPrefix", "/api/v1/webhooks/chat", receiving())
      .annotateMerge(alias)
      .annotateMerge(readsAnyType),
    HttpApiEndpoint.get("verifyOwnUnderPrefix", "/api/v1/webhooks/chat/:organization_id", {
      ...verifying,
      params: ofOrganization
    }).annotateMerge(alias),
    HttpApiEndpoint.post("receiveOwnUnderPrefix", "/api/v1/webhooks/chat/:organization_id", {
      ...receiving(),
      params: ofOrganization
    })
      .annotateMerge(alias)
      .annotateMerge(readsAnyType)
  )
  .middleware(RequestFaults)
  .annotateMerge(area("Chat webhooks", "Endpoints for the chat provider: its handshake and its deliveries.")) {}
