import { eventResource, byId } from "../../kernel/index.ts"
import { WebhookSubscriptionId } from "./Ids.ts"
import { WebhookSubscription } from "./WebhookSubscription.ts"
import { getWebhookSubscription } from "./use-cases/getWebhookSubscription.ts"

/** The resources of the events of this area, as GET answers them. */
export const webhookResources = [
  eventResource(
    "webhook_subscription",
    getWebhookSubscription,
    WebhookSubscription,
    byId("webhookSubscriptionId", WebhookSubscriptionId)
  )
] as const
