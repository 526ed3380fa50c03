import { DateTime, Effect, Redacted } from "effect"
import { CurrentOrganization } from "../../../kernel/index.ts"
import { secretsOfHeld, WebhookSender } from "../../webhooks/index.ts"
import { subscriptionOf } from "../Ids.ts"
import { addressIn, type PluginAction } from "../manifests/PluginManifest.ts"
import type { KeptPlugin } from "../Plugins.ts"
import type { KeptPluginCall } from "./PluginCall.ts"

/** Asks a plugin once to act. Secret settings stay here: the plugin has them already. */
export const askPlugin = Effect.fnUntraced(function* (plugin: KeptPlugin, action: PluginAction, call: KeptPluginCall) {
  const at = yield* DateTime.now
  const { id: organizationId } = yield* CurrentOrganization
  const { contactId, conversationId, id, input, key, pluginId, runId } = call
  const body = JSON.stringify({
    type: "plugin.action",
    timestamp: at,
    organizationId,
    pluginId,
    callId: id,
    action: action.key,
    runId,
    contactId,
    conversationId,
    input,
    settings: plugin.settings
  })
  return yield* (yield* WebhookSender).ask(
    {
      url: addressIn(plugin.manifest, action.path),
      secrets: yield* secretsOfHeld(subscriptionOf(pluginId)),
      id: key,
      at,
      attempt: call.tries + 1,
      headers: { "idempotency-key": Redacted.make(key) },
      body
    },
    action.timeoutSeconds
  )
})
