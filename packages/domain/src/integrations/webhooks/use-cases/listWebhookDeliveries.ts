import { Effect } from "effect"
import { type PageRequest, useCase } from "../../../kernel/index.ts"
import type { WebhookSubscriptionId } from "../Ids.ts"
import { pageOfDeliveries } from "../pageOfDeliveries.ts"
import type { WebhookDeliveryFilter } from "../WebhookDeliveries.ts"
import { WebhookSubscriptions } from "../WebhookSubscriptions.ts"

/** Reads what was delivered to a subscription in the last thirty days, and what waits, the latest first. */
export const listWebhookDeliveries = useCase(
  "webhookSubscriptions.listDeliveries",
  { access: { permission: "webhook_subscriptions.read" } },
  Effect.fnUntraced(function* (id: WebhookSubscriptionId, filter: WebhookDeliveryFilter, page: PageRequest) {
    yield* (yield* WebhookSubscriptions).get(id)
    return yield* pageOfDeliveries(id, filter, page)
  })
)
