import { webhookDeliveries } from "./webhookDeliveries.ts"
import { webhookDeliveryAttempts } from "./webhookDeliveryAttempts.ts"
import { webhookDeliveryOrder } from "./webhookDeliveryOrder.ts"
import { webhookSubscriptions } from "./webhookSubscriptions.ts"

export const webhooksContracts = [
  webhookDeliveries,
  webhookDeliveryOrder,
  webhookDeliveryAttempts,
  webhookSubscriptions
]
