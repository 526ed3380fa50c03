import { Page, Timestamp } from "@parley/domain/kernel"
import { Job } from "@parley/domain/platform"
import {
  NewWebhookSubscription,
  ReplayRequest,
  RotatedSecret,
  SecretRotation,
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
  WebhookSubscriptionSort,
  WebhookTest
} from "@parley/domain/integrations"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { area, asksProvider, describe } from "./describe.ts"
import { Idempotent, InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf, IfMatch, nameQuery, PageQuery, Position, several, sortQuery } from "./shapes.ts"

const params = idOf(WebhookSubscriptionId, "webhook subscription")

const deliveryParams = {
  ...params,
  deliveryId: WebhookDeliveryId.pipe(Schema.annotateKey({ description: "Id of the delivery." }))
}

const read = [Problems.PermissionDenied, Problems.NotFound] as const
const changed = [...read, Problems.VersionConflict] as const

const time = (description: string) => Schema.optionalKey(Timestamp).annotateKey({ description })

/** Webhook subscriptions: addresses that events are posted to. */
export class WebhookSubscriptionsApi extends HttpApiGroup.make("webhookSubscriptions")
  .add(
    HttpApiEndpoint.get("list", "/webhook_subscriptions", {
      query: {
        ...PageQuery,
        q: nameQuery("Part of the name or the URL, ignoring case and accents."),
        status: Schema.optionalKey(WebhookSubscription.fields.status).annotateKey({
          description: "Only subscriptions with this status."
        }),
        event: Schema.optionalKey(WebhookDeliveryType).annotateKey({
          description: "Only subscriptions to this event type, including prefixes such as `order.*` and `*`."
        }),
        sort: sortQuery(WebhookSubscriptionSort, "-createdAt")
      },
      success: Page(WebhookSubscription),
      error: [Problems.PermissionDenied, Problems.CursorInvalid]
    }).annotateMerge(describe("listWebhookSubscriptions", "List webhook subscriptions")),
    HttpApiEndpoint.post("create", "/webhook_subscriptions", {
      payload: NewWebhookSubscription,
      success: CreatedWebhookSubscription.pipe(HttpApiSchema.status(201)),
      error: [Problems.PermissionDenied, Problems.PlanLimitReached]
    })
      .annotateMerge(
        describe(
          "createWebhookSubscription",
          "Create a webhook subscription",
          "Posts new events to your URL. Only this answer has the `secret` that signs deliveries. The URL must use `https`, a host name with public addresses only, and port 443 or 8443. Event types outside your permissions are 403."
        )
      )
      .annotateMerge(asksProvider)
      .middleware(Idempotent),
    HttpApiEndpoint.get("get", "/webhook_subscriptions/:id", {
      params,
      success: WebhookSubscription,
      error: read
    }).annotateMerge(describe("getWebhookSubscription", "Get a webhook subscription")),
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
          "Update a webhook subscription",
          "A change of anything except the name makes you responsible for the deliveries: `permissions` are then yours."
        )
      )
      .annotateMerge(asksProvider),
    HttpApiEndpoint.delete("delete", "/webhook_subscriptions/:id", {
      params,
      headers: IfMatch,
      success: HttpApiSchema.NoContent,
      error: [...changed, Problems.WebhookSubscriptionInUse]
    }).annotateMerge(
      describe("deleteWebhookSubscription", "Delete a webhook subscription", "Pending deliveries are discarded.")
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
          "Enable a webhook subscription",
          "Delivers from the next event on. `disabledAtPosition` stays: use it to replay missed events."
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
        describe("disableWebhookSubscription", "Disable a webhook subscription", "Pending deliveries are discarded.")
      )
      .middleware(Idempotent),
    HttpApiEndpoint.post("test", "/webhook_subscriptions/:id/test", {
      params,
      payload: [WebhookTest, Schema.Null],
      success: WebhookAttempt,
      error: read
    })
      .annotateMerge(
        describe(
          "testWebhookSubscription",
          "Send a test event",
          '`webhook.test`, or an example of an event type, with `"test": true`. The answer contains the result; there are no retries. The body is optional.'
        )
      )
      .annotateMerge(asksProvider)
      .middleware(Idempotent),
    HttpApiEndpoint.post("rotateSecret", "/webhook_subscriptions/:id/rotate_secret", {
      params,
      payload: [SecretRotation, Schema.Null],
      success: RotatedSecret,
      error: read
    })
      .annotateMerge(
        describe(
          "rotateWebhookSecret",
          "Rotate the signing secret",
          "The secret is in this answer only. Deliveries have both signatures until `previousSecretExpiresAt`."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.get("listDeliveries", "/webhook_subscriptions/:id/deliveries", {
      params,
      query: {
        ...PageQuery,
        state: Schema.optionalKey(several(WebhookDeliveryState, "states")).annotateKey({
          description: "Only deliveries in this state; can be repeated."
        }),
        position: Schema.optionalKey(Position).annotateKey({
          description: "Only the delivery of the event at this position of the event feed."
        }),
        type: Schema.optionalKey(WebhookDeliveryType).annotateKey({
          description: "Only deliveries of events of this type."
        }),
        from: time("Only deliveries created at this time or later."),
        to: time("Only deliveries created before this time.")
      },
      success: Page(WebhookDelivery),
      error: [...read, Problems.CursorInvalid]
    }).annotateMerge(
      describe("listWebhookDeliveries", "List webhook deliveries", "Newest first. Deliveries are stored for 30 days.")
    ),
    HttpApiEndpoint.get("getDelivery", "/webhook_subscriptions/:id/deliveries/:deliveryId", {
      params: deliveryParams,
      success: WebhookDeliveryLog,
      error: read
    }).annotateMerge(
      describe(
        "getWebhookDelivery",
        "Get a webhook delivery",
        "Its last hundred attempts are in `log`, newest first. The request and the answer of an attempt are stored for 7 days, without secrets."
      )
    ),
    HttpApiEndpoint.post("redeliver", "/webhook_subscriptions/:id/deliveries/:deliveryId/redeliver", {
      params: deliveryParams,
      success: WebhookDelivery.pipe(HttpApiSchema.status(202)),
      error: read
    })
      .annotateMerge(
        describe(
          "redeliverWebhook",
          "Redeliver a webhook",
          "Sends the delivery immediately, in any state. If the attempt fails, nothing changes."
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
          "Replay events",
          "A job delivers events of up to 30 days again, and creates missing deliveries. A delivery keeps its `webhook-id`."
        )
      )
      .middleware(Idempotent)
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Webhook subscriptions", "URLs that receive events, and the deliveries to them.")) {}
