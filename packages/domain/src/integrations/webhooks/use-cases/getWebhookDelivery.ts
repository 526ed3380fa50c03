import { Effect } from "effect"
import { useCase } from "../../../kernel/index.ts"
import type { WebhookDeliveryId, WebhookSubscriptionId } from "../Ids.ts"
import { WebhookDeliveries } from "../WebhookDeliveries.ts"
import { WebhookDeliveryLog } from "../WebhookDelivery.ts"
import { WebhookSubscriptions } from "../WebhookSubscriptions.ts"

const mostAttempts = 100

/** Reads a delivery with its attempts. */
export const getWebhookDelivery = useCase(
  "webhookSubscriptions.getDelivery",
  { access: { permission: "webhook_subscriptions.read" } },
  Effect.fnUntraced(function* (subscriptionId: WebhookSubscriptionId, id: WebhookDeliveryId) {
    yield* (yield* WebhookSubscriptions).get(subscriptionId)
    const deliveries = yield* WebhookDeliveries
    const delivery = yield* deliveries.get(subscriptionId, id)
    return new WebhookDeliveryLog({ ...delivery, log: yield* deliveries.attempts(id, mostAttempts) })
  })
)
