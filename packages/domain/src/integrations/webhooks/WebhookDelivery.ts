import { Schema } from "effect"
import { type ActorRef, type Causation, isStorable, shownWith, Timestamp } from "../../kernel/index.ts"
import { AttemptRequest, AttemptResponse } from "./attemptDetails.ts"
import { WebhookDeliveryId } from "./WebhookSubscription.ts"

/** State of a delivery. `failed`: no attempt succeeded. `discarded`: the delivery must not be sent any more. */
export const WebhookDeliveryState = Schema.Literals(["pending", "delivered", "failed", "discarded"])
export type WebhookDeliveryState = typeof WebhookDeliveryState.Type

/** Delivery type in list filters. */
export const WebhookDeliveryType = Schema.String.check(
  Schema.isMaxCodePoints(100, { message: "Expected at most 100 characters" }),
  Schema.isPattern(/^[a-z_]+\.[a-z_]+$/u, { message: "Expected an event type such as contact.created" })
)

/** Reason of an attempt: schedule, request of a person, probe after many failures, or test. */
export const AttemptTrigger = Schema.Literals(["scheduled", "redeliver", "probe", "test"])
export type AttemptTrigger = typeof AttemptTrigger.Type

/** Error of an attempt. `status`: the answer had no success status. */
export const AttemptError = Schema.Literals(["timeout", "refused", "dns", "tls", "not_public", "redirected", "status"])
export type AttemptError = typeof AttemptError.Type

/** Delivery of one event to one subscription, at least once. */
export class WebhookDelivery extends Schema.Class<WebhookDelivery>("WebhookDelivery")({
  id: WebhookDeliveryId,
  type: Schema.String,
  position: Schema.NullOr(Schema.Int).annotate({
    description: "Position of the event in the feed; `null` for calls of automations."
  }),
  state: WebhookDeliveryState,
  attempts: Schema.Int,
  nextAttemptAt: Schema.NullOr(Timestamp),
  deliveredAt: Schema.NullOr(Timestamp)
}) {}

/** Time and result of a request. */
export const attemptResultFields = {
  number: Schema.Int,
  at: Timestamp,
  durationMs: Schema.Int,
  status: Schema.NullOr(Schema.Int),
  error: Schema.NullOr(AttemptError)
}

/** Request of a delivery, with its result. */
export class WebhookAttempt extends Schema.Class<WebhookAttempt>("WebhookAttempt")({
  ...attemptResultFields,
  trigger: AttemptTrigger,
  request: Schema.NullOr(AttemptRequest).annotateKey({
    description:
      "Request of the attempt; null after 7 days, after the deletion of the contact, and without the permissions of the subscription."
  }),
  response: Schema.NullOr(AttemptResponse)
    .annotateKey({
      description:
        "Answer of the receiver; null without an answer, after 7 days, after the deletion of the contact, and without the permissions of the subscription."
    })
    .pipe(shownWith("contacts.read"))
}) {}

/** Delivery with its last hundred attempts, latest first. */
export class WebhookDeliveryLog extends Schema.Class<WebhookDeliveryLog>("WebhookDeliveryLog")({
  ...WebhookDelivery.fields,
  log: Schema.Array(WebhookAttempt)
}) {}

/** Test to send: an example of this event type, `webhook.test` by default. */
export const WebhookTest = Schema.Struct({
  type: Schema.optionalKey(
    Schema.String.check(isStorable, Schema.isMaxCodePoints(100, { message: "Expected at most 100 characters" }))
  )
}).annotate({ identifier: "WebhookTest" })
export type WebhookTest = typeof WebhookTest.Type

/** Content that an automation or a workflow posts. It is no event and has its own body. */
export interface WebhookCall {
  readonly actor: ActorRef
  readonly causation: Causation | null
  readonly runId: string
  /** The next three fields are `null` after the erasure of the contact. */
  readonly contactId: string | null
  readonly conversationId: string | null
  readonly body: Schema.Json
}

/** Type of deliveries of calls. */
export const callType = "automation.call"
