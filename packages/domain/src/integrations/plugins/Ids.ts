import { Schema } from "effect"
import { type PluginId, Uuid } from "../../kernel/index.ts"
import { WebhookSubscriptionId } from "../webhooks/index.ts"

/** A call of a plugin about its own life. */
export const LifecycleCallId = Uuid.pipe(Schema.brand("LifecycleCallId"))
export type LifecycleCallId = typeof LifecycleCallId.Type

/** The subscription that delivers events to a plugin has the plugin's own id. */
export const subscriptionOf = (id: PluginId): WebhookSubscriptionId => WebhookSubscriptionId.make(id)
