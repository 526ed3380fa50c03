import { Effect } from "effect"
import { idInput, defineArea, defineEventResource, defineEvents } from "../../kernel/index.ts"
import { webhookCallData, WebhookDeliveries } from "./WebhookDeliveries.ts"
import { WebhookSubscription, WebhookSubscriptionId } from "./WebhookSubscription.ts"
import { WebhookSubscriptions } from "./WebhookSubscriptions.ts"
import { webhookEventConsumers } from "./eventMatching.ts"
import { replayJob } from "./eventReplay.ts"
import { WebhookEvent } from "./events.ts"
import { webhookTasks } from "./sending/deliveryLanes.ts"
import { webhookSealedValues } from "./signingSecrets.ts"
import { getWebhookSubscription } from "./use-cases/subscriptions.ts"

/** Resources of the events of this area, in the form of GET. */
const webhookResources = [
  defineEventResource(
    "webhook_subscription",
    getWebhookSubscription,
    WebhookSubscription,
    idInput("webhookSubscriptionId", WebhookSubscriptionId)
  )
] as const

const webhooksStorage = [WebhookDeliveries, WebhookSubscriptions] as const

/** Counts every subscription, enabled or not. */
const webhookSubscriptionUsage = {
  limit: "webhookSubscriptions",
  lock: "webhook_subscriptions",
  count: Effect.flatMap(WebhookSubscriptions, (subscriptions) => subscriptions.count())
} as const

export const webhooksArea = defineArea({
  name: "integrations/webhooks",
  storage: webhooksStorage,
  events: defineEvents(WebhookEvent, {
    "webhook_subscription.created": "webhook_subscriptions.read",
    "webhook_subscription.updated": "webhook_subscriptions.read",
    "webhook_subscription.deleted": "webhook_subscriptions.read",
    "webhook_subscription.enabled": "webhook_subscriptions.read",
    "webhook_subscription.disabled": "webhook_subscriptions.read",
    "webhook_subscription.failing": "webhook_subscriptions.read",
    "webhook_subscription.secret_rotated": "webhook_subscriptions.read"
  }),
  permissions: ["webhook_subscriptions.read", "webhook_subscriptions.manage"],
  jobs: [replayJob],
  eventConsumers: webhookEventConsumers,
  backgroundTasks: webhookTasks,
  eventResources: webhookResources,
  contactDataOwners: [webhookCallData],
  limitUses: [webhookSubscriptionUsage],
  sealedValues: webhookSealedValues
})
