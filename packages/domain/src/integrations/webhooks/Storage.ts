import { WebhookDeliveries } from "./WebhookDeliveries.ts"
import { WebhookSubscriptions } from "./WebhookSubscriptions.ts"

/** The ports that a storage adapter provides of this area. */
export const webhooksStorage = [WebhookDeliveries, WebhookSubscriptions] as const
