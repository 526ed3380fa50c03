import { Schema } from "effect"
import { Uuid } from "../../kernel/index.ts"

export const WebhookSubscriptionId = Uuid.pipe(Schema.brand("WebhookSubscriptionId"))
export type WebhookSubscriptionId = typeof WebhookSubscriptionId.Type

/** The same in each attempt and each replay: it is made of the subscription and of the event's position. */
export const WebhookDeliveryId = Uuid.pipe(Schema.brand("WebhookDeliveryId"))
export type WebhookDeliveryId = typeof WebhookDeliveryId.Type
