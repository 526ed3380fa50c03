import { DateTime, Duration, Effect, Redacted } from "effect"
import { asSystem, CurrentOrganization, PluginId, transact } from "../../../kernel/index.ts"
import { type LaneLease, LaneQueue, defineLaneWorker } from "../../../platform/background/index.ts"
import { managedSecrets, WebhookSender } from "../../webhooks/index.ts"
import { toPluginUrl, type PluginAction } from "../PluginManifest.ts"
import { type StoredPlugin, Plugins } from "../Plugins.ts"
import { subscriptionOf } from "../lifecycle/LifecycleCalls.ts"
import { canRunPlugins } from "../lifecycle/pluginLifecycle.ts"
import { type StoredPluginCall, PluginCalls } from "./PluginCall.ts"
import { PluginCallListeners, pluginCallTaskName, settleCall } from "./callLifecycle.ts"
import { failedPluginResponse, type PluginResponse, interpretResponse } from "./pluginResponses.ts"

/** Asks a plugin once to act. Secret settings stay here: the plugin has them already. */
const requestPluginAction = Effect.fnUntraced(function* (
  plugin: StoredPlugin,
  action: PluginAction,
  call: StoredPluginCall
) {
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
      url: toPluginUrl(plugin.manifest, action.path),
      secrets: yield* managedSecrets(subscriptionOf(pluginId)),
      id: key,
      at,
      attempt: call.tries + 1,
      headers: { "idempotency-key": Redacted.make(key) },
      body
    },
    action.timeoutSeconds
  )
})

/** How many requests are on their way to one plugin. */
const maxConcurrentRequests = 5

const findEnabledAction = (plugin: StoredPlugin | null, { action }: StoredPluginCall): PluginAction | null =>
  plugin?.status === "enabled" ? (plugin.manifest.actions?.find(({ key }) => key === action) ?? null) : null

/** What becomes of a call now, without anything of it being kept. */
const attemptCall = Effect.fnUntraced(function* (call: StoredPluginCall) {
  if (call.state === "waiting")
    return failedPluginResponse("plugin_timeout", "It did not say within a day what came of it.")
  if (yield* (yield* PluginCallListeners).isGivenUp(call)) {
    return failedPluginResponse("run_ended", "The run that has asked for it is over, or has gone on without it.")
  }
  const plugin = yield* (yield* Plugins).find(call.pluginId)
  const action = findEnabledAction(plugin, call)
  if (plugin === null || action === null)
    return failedPluginResponse("plugin_disabled", "The plugin does not act any more.")
  return interpretResponse(action, call.caller, yield* requestPluginAction(plugin, action, call))
})

/** Keeps what came of a try. Somebody who has ended the call meanwhile was earlier. */
const saveAttempt = Effect.fnUntraced(
  function* (lease: LaneLease, { id, state, tries }: StoredPluginCall, verdict: PluginResponse) {
    const call = yield* (yield* PluginCalls).lock(id)
    if (call.state === state && call.tries === tries) {
      yield* settleCall(state === "pending" ? { ...call, tries: tries + 1 } : call, verdict)
    }
    yield* (yield* LaneQueue).hold(lease)
  },
  transact,
  Effect.catchTag("NotFound", () => Effect.void)
)

/** Asks a plugin what it is to be asked, some calls at a time, until none is due. */
const processCalls = Effect.fnUntraced(function* (lease: LaneLease) {
  const pluginId = PluginId.make(lease.key)
  const calls = yield* PluginCalls
  while (yield* canRunPlugins) {
    const due = yield* calls.due(pluginId, yield* DateTime.now, maxConcurrentRequests)
    if (due.length === 0) return
    yield* Effect.forEach(
      due,
      (call) => Effect.flatMap(attemptCall(call), (verdict) => saveAttempt(lease, call, verdict)),
      {
        concurrency: maxConcurrentRequests,
        discard: true
      }
    )
  }
})

/** Plugins mostly are waited for, so there is room for many: a slow one keeps no other waiting. */
const maxConcurrentPlugins = 128

/** When to look again whether a suspended organization is active, or its plan has plugins. */
const stoppedRecheckInterval = Duration.minutes(10)

const asPluginSystem = asSystem("plugins")

const nextDue = Effect.fnUntraced(function* ({ key }: LaneLease) {
  const due = yield* (yield* PluginCalls).nextDue(PluginId.make(key))
  if (due === null || (yield* canRunPlugins)) return due
  return DateTime.addDuration(yield* DateTime.now, stoppedRecheckInterval)
})

/** Each plugin is asked to act by one process at a time. */
export const pluginCallLaneWorker = defineLaneWorker({
  name: pluginCallTaskName,
  concurrency: maxConcurrentPlugins,
  run: (lease) => asPluginSystem(lease.organizationId)(processCalls(lease)),
  nextDue: (lease) => asPluginSystem(lease.organizationId)(nextDue(lease))
})
