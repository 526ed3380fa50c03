import { Schema } from "effect"
import { type ActorRef, type Causation, Timestamp } from "../../kernel/index.ts"
import { WebhookDeliveryId } from "./WebhookSubscription.ts"

/** Where a delivery stands. `failed`: every attempt was in vain. `discarded`: it was not to be sent any more. */
export const WebhookDeliveryState = Schema.Literals(["pending", "delivered", "failed", "discarded"])
export type WebhookDeliveryState = typeof WebhookDeliveryState.Type

/** Of which type a delivery is, where some are asked for. */
export const WebhookDeliveryType = Schema.String.check(
  Schema.isMaxCodePoints(100, { message: "Expected at most 100 characters" }),
  Schema.isPattern(/^[a-z_]+\.[a-z_]+$/u, { message: "Expected a type of event such as contact.created" })
)

/** Why an attempt was made: it was due, a person asked for it, the endpoint was tried after many failures, or it was a test. */
export const AttemptTrigger = Schema.Literals(["scheduled", "redeliver", "probe", "test"])
export type AttemptTrigger = typeof AttemptTrigger.Type

/** What went wrong with an attempt. `status`: the answer was none of success. */
export const AttemptError = Schema.Literals(["timeout", "refused", "dns", "tls", "not_public", "redirected", "status"])
export type AttemptError = typeof AttemptError.Type

/** One event for one subscription, which is delivered at least once. */
export class WebhookDelivery extends Schema.Class<WebhookDelivery>("WebhookDelivery")({
  id: WebhookDeliveryId,
  type: Schema.String,
  position: Schema.NullOr(Schema.Int).annotate({
    description: "The place of the event in the feed; `null` where it is a call of an automation."
  }),
  state: WebhookDeliveryState,
  attempts: Schema.Int,
  nextAttemptAt: Schema.NullOr(Timestamp),
  deliveredAt: Schema.NullOr(Timestamp)
}) {}

/** One request of a delivery, and what came of it. */
export class WebhookAttempt extends Schema.Class<WebhookAttempt>("WebhookAttempt")({
  number: Schema.Int,
  at: Timestamp,
  trigger: AttemptTrigger,
  durationMs: Schema.Int,
  status: Schema.NullOr(Schema.Int),
  error: Schema.NullOr(AttemptError)
}) {}

/** A delivery with its attempts, the last hundred of them, the latest first. */
export class WebhookDeliveryLog extends Schema.Class<WebhookDeliveryLog>("WebhookDeliveryLog")({
  ...WebhookDelivery.fields,
  log: Schema.Array(WebhookAttempt)
}) {}

/** What to test with: `webhook.test` if nothing is said, or else an example of this type of event. */
export const WebhookTest = Schema.Struct({
  type: Schema.optionalKey(
    Schema.String.check(Schema.isMaxCodePoints(100, { message: "Expected at most 100 characters" }))
  )
}).annotate({ identifier: "WebhookTest" })
export type WebhookTest = typeof WebhookTest.Type

/** What an automation or a workflow posts: no event, but a body of its own. */
export interface WebhookCall {
  readonly actor: ActorRef
  readonly causation: Causation | null
  readonly runId: string
  /** Those three are `null` once the contact is erased. */
  readonly contactId: string | null
  readonly conversationId: string | null
  readonly body: Schema.Json
}

/** The type of the deliveries of calls. */
export const callType = "automation.call"
