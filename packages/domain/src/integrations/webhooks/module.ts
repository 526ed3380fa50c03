import { Effect } from "effect"
import { byId, defineArea, eventResource, seenWith } from "../../kernel/index.ts"
import { callsHolding, WebhookDeliveries } from "./WebhookDeliveries.ts"
import { WebhookSubscription, WebhookSubscriptionId } from "./WebhookSubscription.ts"
import { WebhookSubscriptions } from "./WebhookSubscriptions.ts"
import { webhooksReactions } from "./eventMatching.ts"
import { replayJob } from "./eventReplay.ts"
import { WebhookEvent } from "./events.ts"
import { webhooksWorks } from "./sending/deliveryLanes.ts"
import { webhookSealedValues } from "./signingSecrets.ts"
import { getWebhookSubscription } from "./use-cases/subscriptions.ts"

/** The resources of the events of this area, as GET answers them. */
const webhookResources = [
  eventResource(
    "webhook_subscription",
    getWebhookSubscription,
    WebhookSubscription,
    byId("webhookSubscriptionId", WebhookSubscriptionId)
  )
] as const

/** The ports that a storage adapter provides of this area. */
const webhooksStorage = [WebhookDeliveries, WebhookSubscriptions] as const

/** Every subscription takes room, enabled or not. */
const webhookSubscriptionUse = {
  limit: "webhookSubscriptions",
  lock: "webhook_subscriptions",
  count: Effect.flatMap(WebhookSubscriptions, (subscriptions) => subscriptions.count())
} as const

/** What this area says of itself. */
export const webhooksArea = defineArea({
  name: "integrations/webhooks",
  storage: webhooksStorage,
  events: seenWith(WebhookEvent, {
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
  reactions: webhooksReactions,
  works: webhooksWorks,
  eventResources: webhookResources,
  contactHoldings: [callsHolding],
  limitUses: [webhookSubscriptionUse],
  sealedValues: webhookSealedValues
})
