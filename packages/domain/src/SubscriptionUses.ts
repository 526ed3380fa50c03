import { ofAllAreas } from "./areas.ts"
import { layerSubscriptionUsesOf } from "./webhooks/index.ts"

/** What calls webhook subscriptions, in all areas. */
export const layerSubscriptionUses = layerSubscriptionUsesOf(ofAllAreas("subscriptionUses"))
