import { DateTime, Effect } from "effect"
import { paged, type PageRequest, useCase } from "../../kernel/index.ts"
import type { WebhookSubscriptionId } from "../Ids.ts"
import { WebhookDeliveries, type WebhookDeliveryFilter } from "../WebhookDeliveries.ts"
import { WebhookSubscriptions } from "../WebhookSubscriptions.ts"

/** Reads what was delivered to a subscription in the last thirty days, and what waits, the latest first. */
export const listWebhookDeliveries = useCase(
  "webhookSubscriptions.listDeliveries",
  { access: { permission: "webhook_subscriptions.read" } },
  Effect.fnUntraced(function* (id: WebhookSubscriptionId, filter: WebhookDeliveryFilter, page: PageRequest) {
    yield* (yield* WebhookSubscriptions).get(id)
    const deliveries = yield* WebhookDeliveries
    const { data, nextCursor } = yield* paged(
      `webhook_deliveries/${id}`,
      page,
      (slice) => deliveries.list(id, filter, slice),
      ({ at, delivery }) => [DateTime.formatIso(at), String(delivery.position ?? 0), delivery.id]
    )
    return { data: data.map(({ delivery }) => delivery), nextCursor }
  })
)
