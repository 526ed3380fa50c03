import { Effect } from "effect"
import { record } from "../../audit/index.ts"
import { transact, useCase } from "../../kernel/index.ts"
import type { WebhookDeliveryId, WebhookSubscriptionId } from "../Ids.ts"
import { openSubscriptionLane } from "../subscriptionLane.ts"
import { WebhookDeliveries } from "../WebhookDeliveries.ts"
import { WebhookSubscriptions } from "../WebhookSubscriptions.ts"

/** Has one more attempt made now, whatever became of the delivery, and whatever keeps others back. */
export const redeliverWebhook = useCase(
  "webhookSubscriptions.redeliver",
  { access: { permission: "webhook_subscriptions.manage" } },
  Effect.fnUntraced(function* (subscriptionId: WebhookSubscriptionId, id: WebhookDeliveryId) {
    yield* (yield* WebhookSubscriptions).get(subscriptionId)
    const delivery = yield* (yield* WebhookDeliveries).want(subscriptionId, id)
    yield* openSubscriptionLane(subscriptionId, "person")
    yield* record(
      "webhook_subscription.redelivered",
      { kind: "webhook_subscription", id: subscriptionId },
      { after: { deliveryId: id } }
    )
    return delivery
  }, transact)
)
