import { webhookDeliveries } from "./webhookDeliveries.ts"
import { webhookSubscriptions } from "./webhookSubscriptions.ts"

export const webhooksContracts = [webhookDeliveries, webhookSubscriptions]
