import {
  Job,
  NewWebhookSubscription,
  Page,
  ReplayRequest,
  RotatedSecret,
  SecretRotation,
  Timestamp,
  WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryId,
  WebhookDeliveryLog,
  WebhookDeliveryState,
  WebhookDeliveryType,
  CreatedWebhookSubscription,
  WebhookSubscription,
  WebhookSubscriptionId,
  WebhookSubscriptionPatch,
  WebhookTest
} from "@parley/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { area, asksProvider, describe } from "./describe.ts"
import { Idempotent, InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf, IfMatch, PageQuery } from "./shapes.ts"

const params = idOf(WebhookSubscriptionId, "webhook subscription")

const deliveryParams = {
  ...params,
  deliveryId: WebhookDeliveryId.pipe(Schema.annotateKey({ description: "The id of the delivery." }))
}

const read = [Problems.PermissionDenied, Problems.NotFound] as const
const changed = [...read, Problems.VersionConflict] as const

const time = (description: string) => Schema.optionalKey(Timestamp).annotateKey({ description })

/** Webhook subscriptions: addresses that events are posted to. */
export class WebhookSubscriptionsApi extends HttpApiGroup.make("webhookSubscriptions")
  .add(
    HttpApiEndpoint.get("list", "/webhook_subscriptions", {
      query: PageQuery,
      success: Page(WebhookSubscription),
      error: [Problems.PermissionDenied, Problems.CursorInvalid]
    }).annotateMerge(describe("listWebhookSubscriptions", "List webhook subscriptions", "Newest first.")),
    HttpApiEndpoint.post("create", "/webhook_subscriptions", {
      payload: NewWebhookSubscription,
      success: CreatedWebhookSubscription.pipe(HttpApiSchema.status(201)),
      error: [Problems.PermissionDenied, Problems.PlanLimitReached]
    })
      .annotateMerge(
        describe(
          "createWebhookSubscription",
          "Have events posted to an address",
          "From the next event on. Only this answer has the `secret` that deliveries are signed with. The address has to be `https`, by the name of a host whose addresses are all public, on port 443 or 8443. A type of event that you may not see is 403."
        )
      )
      .annotateMerge(asksProvider)
      .middleware(Idempotent),
    HttpApiEndpoint.get("get", "/webhook_subscriptions/:id", {
      params,
      success: WebhookSubscription,
      error: read
    }).annotateMerge(describe("getWebhookSubscription", "Read a webhook subscription")),
    HttpApiEndpoint.patch("update", "/webhook_subscriptions/:id", {
      params,
      headers: IfMatch,
      payload: WebhookSubscriptionPatch,
      success: WebhookSubscription,
      error: changed
    })
      .annotateMerge(
        describe(
          "updateWebhookSubscription",
          "Change a webhook subscription",
          "Whoever changes more than its name answers for what is delivered: `permissions` are theirs from then on."
        )
      )
      .annotateMerge(asksProvider),
    HttpApiEndpoint.delete("delete", "/webhook_subscriptions/:id", {
      params,
      headers: IfMatch,
      success: HttpApiSchema.NoContent,
      error: [...changed, Problems.WebhookSubscriptionInUse]
    }).annotateMerge(
      describe("deleteWebhookSubscription", "Delete a webhook subscription", "What waits for it is not sent any more.")
    ),
    HttpApiEndpoint.post("enable", "/webhook_subscriptions/:id/enable", {
      params,
      headers: IfMatch,
      success: WebhookSubscription,
      error: changed
    })
      .annotateMerge(
        describe(
          "enableWebhookSubscription",
          "Have events delivered again",
          "From the next event on. `disabledAtPosition` stays: replay from there what was missed."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.post("disable", "/webhook_subscriptions/:id/disable", {
      params,
      headers: IfMatch,
      success: WebhookSubscription,
      error: changed
    })
      .annotateMerge(
        describe("disableWebhookSubscription", "Have nothing delivered any more", "What waits is discarded.")
      )
      .middleware(Idempotent),
    HttpApiEndpoint.post("test", "/webhook_subscriptions/:id/test", {
      params,
      payload: WebhookTest,
      success: WebhookAttempt,
      error: read
    })
      .annotateMerge(
        describe(
          "testWebhookSubscription",
          "Post an example now",
          '`webhook.test`, or an example of a type of event, with `"test": true`. The answer says what came of it; it is not tried again.'
        )
      )
      .annotateMerge(asksProvider)
      .middleware(Idempotent),
    HttpApiEndpoint.post("rotateSecret", "/webhook_subscriptions/:id/rotate_secret", {
      params,
      payload: SecretRotation,
      success: RotatedSecret,
      error: read
    })
      .annotateMerge(
        describe(
          "rotateWebhookSecret",
          "Make a new secret",
          "Only this answer has it. Deliveries are signed with both until `previousSecretExpiresAt`."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.get("listDeliveries", "/webhook_subscriptions/:id/deliveries", {
      params,
      query: {
        ...PageQuery,
        state: Schema.optionalKey(WebhookDeliveryState).annotateKey({ description: "Only deliveries in this state." }),
        type: Schema.optionalKey(WebhookDeliveryType).annotateKey({
          description: "Only deliveries of events of this type."
        }),
        from: time("Only deliveries made at this time or later."),
        to: time("Only deliveries made before this time.")
      },
      success: Page(WebhookDelivery),
      error: [...read, Problems.CursorInvalid]
    }).annotateMerge(
      describe("listWebhookDeliveries", "List deliveries", "The latest first. They are kept for 30 days.")
    ),
    HttpApiEndpoint.get("getDelivery", "/webhook_subscriptions/:id/deliveries/:deliveryId", {
      params: deliveryParams,
      success: WebhookDeliveryLog,
      error: read
    }).annotateMerge(
      describe("getWebhookDelivery", "Read a delivery", "With its last hundred attempts in `log`, the latest first.")
    ),
    HttpApiEndpoint.post("redeliver", "/webhook_subscriptions/:id/deliveries/:deliveryId/redeliver", {
      params: deliveryParams,
      success: WebhookDelivery.pipe(HttpApiSchema.status(202)),
      error: read
    })
      .annotateMerge(
        describe(
          "redeliverWebhook",
          "Try a delivery once more, now",
          "Whatever became of it. If it fails again, everything stays as it was."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.post("replay", "/webhook_subscriptions/:id/replay", {
      params,
      payload: ReplayRequest,
      success: Job.pipe(HttpApiSchema.status(202)),
      error: [...read, Problems.WebhookSubscriptionDisabled]
    })
      .annotateMerge(
        describe(
          "replayWebhookEvents",
          "Deliver once more what happened",
          "Up to 30 days back, by a job. What was never made is made. A delivery has the same `webhook-id` as before."
        )
      )
      .middleware(Idempotent)
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(
    area("Webhook subscriptions", "Addresses that events are posted to, and what was delivered to them.")
  ) {}
