import { Effect } from "effect"
import { useCase } from "../../../kernel/index.ts"
import type { WebhookSubscriptionId } from "../Ids.ts"
import { WebhookSubscriptions } from "../WebhookSubscriptions.ts"

/** Reads a webhook subscription. */
export const getWebhookSubscription = useCase(
  "webhookSubscriptions.get",
  { access: { permission: "webhook_subscriptions.read" } },
  Effect.fnUntraced(function* (id: WebhookSubscriptionId) {
    return yield* (yield* WebhookSubscriptions).get(id)
  })
)
