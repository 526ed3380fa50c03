import { Schema } from "effect"
import { eventAppender } from "../../kernel/index.ts"
import { DisabledReason, WebhookSubscriptionId } from "./WebhookSubscription.ts"

const eventSchema = <const Type extends string, F extends Schema.Struct.Fields>(type: Type, fields: F) =>
  Schema.Struct({ type: Schema.Literal(type), webhookSubscriptionId: WebhookSubscriptionId, ...fields })

/** Events of webhook subscriptions. Single deliveries have no events, because these would cause further deliveries. */
export const WebhookEvent = Schema.Union([
  eventSchema("webhook_subscription.created", {}),
  eventSchema("webhook_subscription.updated", { fields: Schema.Array(Schema.String) }),
  eventSchema("webhook_subscription.deleted", {}),
  eventSchema("webhook_subscription.enabled", {}),
  eventSchema("webhook_subscription.disabled", { reason: DisabledReason }),
  eventSchema("webhook_subscription.failing", {}),
  eventSchema("webhook_subscription.secret_rotated", {})
])
export type WebhookEvent = typeof WebhookEvent.Type

/** Appends an event in the commit of the change that it describes. */
export const appendEvent = eventAppender<WebhookEvent>()
