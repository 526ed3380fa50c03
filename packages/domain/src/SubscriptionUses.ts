import { ofAllAreas } from "./areas.ts"
import { layerUsesOf } from "./kernel/index.ts"
import { SubscriptionUses } from "./integrations/webhooks/index.ts"

/** What calls webhook subscriptions, in all areas. */
export const layerSubscriptionUses = layerUsesOf(SubscriptionUses, ofAllAreas("subscriptionUses"))
