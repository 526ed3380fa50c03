import { Context } from "effect"
import type { Uses } from "../../kernel/index.ts"
import type { WebhookSubscriptionId } from "./Ids.ts"

/** What calls a subscription, in all areas. */
export class SubscriptionUses extends Context.Service<SubscriptionUses, Uses<WebhookSubscriptionId>>()(
  "@parley/domain/integrations/webhooks/SubscriptionUses"
) {}
