import { Schema } from "effect"
import { appending } from "../../kernel/index.ts"
import { DisabledReason, WebhookSubscriptionId } from "./WebhookSubscription.ts"

const happened = <const Type extends string, F extends Schema.Struct.Fields>(type: Type, fields: F) =>
  Schema.Struct({ type: Schema.Literal(type), webhookSubscriptionId: WebhookSubscriptionId, ...fields })

/** Events of webhook subscriptions. None is told of single deliveries: they would be delivered themselves. */
export const WebhookEvent = Schema.Union([
  happened("webhook_subscription.created", {}),
  happened("webhook_subscription.updated", { fields: Schema.Array(Schema.String) }),
  happened("webhook_subscription.deleted", {}),
  happened("webhook_subscription.enabled", {}),
  happened("webhook_subscription.disabled", { reason: DisabledReason }),
  happened("webhook_subscription.failing", {}),
  happened("webhook_subscription.secret_rotated", {})
])
export type WebhookEvent = typeof WebhookEvent.Type

/** Appends an event of this area in the commit of the change that it describes. */
export const appendEvent = appending<WebhookEvent>()
