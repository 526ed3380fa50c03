import { Layer } from "effect"
import * as WebhookDeliveries from "./WebhookDeliveries.ts"
import * as WebhookSubscriptions from "./WebhookSubscriptions.ts"

export const layer = Layer.mergeAll(WebhookDeliveries.layer, WebhookSubscriptions.layer)
