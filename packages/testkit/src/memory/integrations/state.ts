import type { AutomationTokenId, PluginId } from "@parley/domain/kernel"
import type {
  CatalogueEntry,
  StoredPlugin,
  StoredPluginCall,
  LifecycleCall,
  LifecycleCallId,
  PluginCallId,
  PluginToken,
  StoredWebhookDelivery,
  StoredWebhookSubscription,
  WebhookAttempt,
  WebhookDeliveryId,
  WebhookSubscriptionId
} from "@parley/domain/integrations"
import { HashMap } from "effect"

/** Stored delivery: its owner, its attempts (oldest first) and whether another attempt is requested. */
export interface WebhookDeliveryRow extends StoredWebhookDelivery {
  readonly subscriptionId: WebhookSubscriptionId
  readonly log: ReadonlyArray<WebhookAttempt>
  readonly wanted: boolean
}

/** Rows of one organization in this folder. */
export interface IntegrationsTenant {
  readonly plugins: HashMap.HashMap<PluginId, StoredPlugin>
  readonly pluginCalls: HashMap.HashMap<PluginCallId, StoredPluginCall>
  readonly pluginTokens: HashMap.HashMap<AutomationTokenId, PluginToken>
  readonly lifecycleCalls: HashMap.HashMap<LifecycleCallId, LifecycleCall>
  readonly webhookDeliveries: HashMap.HashMap<WebhookDeliveryId, WebhookDeliveryRow>
  readonly webhookSubscriptions: HashMap.HashMap<WebhookSubscriptionId, StoredWebhookSubscription>
}

/** Rows of this folder outside of organizations. */
export interface IntegrationsState {
  /** By their keys. */
  readonly pluginCatalogue: HashMap.HashMap<string, CatalogueEntry>
}

export const emptyIntegrationsTenant: IntegrationsTenant = {
  plugins: HashMap.empty(),
  pluginCalls: HashMap.empty(),
  pluginTokens: HashMap.empty(),
  lifecycleCalls: HashMap.empty(),
  webhookDeliveries: HashMap.empty(),
  webhookSubscriptions: HashMap.empty()
}

export const emptyIntegrationsState: IntegrationsState = {
  pluginCatalogue: HashMap.empty()
}
