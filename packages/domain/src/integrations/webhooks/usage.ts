import { Effect } from "effect"
import { WebhookSubscriptions } from "./WebhookSubscriptions.ts"

/** Every subscription takes room, enabled or not. */
export const webhookSubscriptionUse = {
  limit: "webhookSubscriptions",
  lock: "webhook_subscriptions",
  count: Effect.flatMap(WebhookSubscriptions, (subscriptions) => subscriptions.count())
} as const
