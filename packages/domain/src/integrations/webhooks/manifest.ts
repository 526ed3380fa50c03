import { defineArea, seenWith } from "../../kernel/index.ts"
import { callsHolding } from "./calls/callsHolding.ts"
import { WebhookEvent } from "./Events.ts"
import { webhooksReactions } from "./Reactions.ts"
import { replayJob } from "./replayJob.ts"
import { webhookResources } from "./eventResources.ts"
import { webhookSealedValues } from "./secrets.ts"
import { webhooksStorage } from "./Storage.ts"
import { webhookSubscriptionUse } from "./usage.ts"
import { webhooksWorks } from "./work.ts"

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
