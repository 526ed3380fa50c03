import { DateTime, Effect } from "effect"
import { paged, type PageRequest } from "../../kernel/index.ts"
import type { WebhookSubscriptionId } from "./Ids.ts"
import { WebhookDeliveries, type WebhookDeliveryFilter } from "./WebhookDeliveries.ts"

/** What was delivered to a subscription, and what waits, the latest first. */
export const pageOfDeliveries = Effect.fnUntraced(function* (
  id: WebhookSubscriptionId,
  filter: WebhookDeliveryFilter,
  page: PageRequest
) {
  const deliveries = yield* WebhookDeliveries
  const { data, nextCursor } = yield* paged(
    `webhook_deliveries/${id}`,
    page,
    (slice) => deliveries.list(id, filter, slice),
    ({ at, delivery }) => [DateTime.formatIso(at), String(delivery.position ?? 0), delivery.id]
  )
  return { data: data.map(({ delivery }) => delivery), nextCursor }
})
