import { Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { PermissionDenied, requireReach, transact, useCase } from "../../../kernel/index.ts"
import { callPermissions } from "../callReach.ts"
import { callType } from "../calls/WebhookCall.ts"
import { EventTypes } from "../../../platform/events/index.ts"
import type { WebhookDeliveryId, WebhookSubscriptionId } from "../Ids.ts"
import { openSubscriptionLane } from "../subscriptionLane.ts"
import { WebhookDeliveries } from "../WebhookDeliveries.ts"
import { WebhookSubscriptions } from "../WebhookSubscriptions.ts"

/** Has one more attempt made now, whatever became of the delivery, and whatever keeps others back. It is bounded as all are. */
export const redeliverWebhook = useCase(
  "webhookSubscriptions.redeliver",
  { access: { permission: "webhook_subscriptions.manage" }, actsThrough: "webhook_subscription" },
  Effect.fnUntraced(function* (subscriptionId: WebhookSubscriptionId, id: WebhookDeliveryId) {
    const { permissions } = yield* (yield* WebhookSubscriptions).get(subscriptionId)
    const delivery = yield* (yield* WebhookDeliveries).want(subscriptionId, id)
    // It was made before somebody who may see less has written the subscription anew.
    const asked = (yield* EventTypes).get(delivery.type)?.permission
    if (asked !== undefined && !permissions.includes(asked)) return yield* new PermissionDenied({ permission: asked })
    yield* requireReach(delivery.type === callType ? [...permissions, ...callPermissions] : permissions)
    yield* openSubscriptionLane(subscriptionId, "person")
    yield* record(
      "webhook_subscription.redelivered",
      { kind: "webhook_subscription", id: subscriptionId },
      { after: { deliveryId: id } }
    )
    return delivery
  }, transact)
)
