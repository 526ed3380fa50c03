import * as Integrations from "@parley/domain/integrations"
import { problem } from "../problem.ts"

export const WebhookSubscriptionInUse = problem(
  Integrations.WebhookSubscriptionInUse,
  409,
  "The webhook subscription is in use"
)
export const WebhookSubscriptionDisabled = problem(
  Integrations.WebhookSubscriptionDisabled,
  409,
  "The webhook subscription is disabled"
)
export const PluginCallEnded = problem(Integrations.PluginCallEnded, 409, "The plugin call has ended")
export const PluginExists = problem(Integrations.PluginExists, 409, "The plugin is already installed")
export const PluginInUse = problem(Integrations.PluginInUse, 409, "The plugin is in use")
export const PluginVersionUnavailable = problem(
  Integrations.PluginVersionUnavailable,
  409,
  "The catalogue does not have this version"
)

export const integrationsProblems = {
  WebhookSubscriptionInUse,
  WebhookSubscriptionDisabled,
  PluginCallEnded,
  PluginExists,
  PluginInUse,
  PluginVersionUnavailable
}
