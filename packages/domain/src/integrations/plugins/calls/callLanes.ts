import { DateTime, Duration, Effect, Redacted } from "effect"
import { asSystem, CurrentOrganization, PluginId, transact } from "../../../kernel/index.ts"
import { type LaneLease, LaneQueue, laneWork } from "../../../platform/background/index.ts"
import { secretsOfHeld, WebhookSender } from "../../webhooks/index.ts"
import { addressIn, type PluginAction } from "../PluginManifest.ts"
import { type KeptPlugin, Plugins } from "../Plugins.ts"
import { subscriptionOf } from "../lifecycle/LifecycleCalls.ts"
import { isRunning } from "../lifecycle/pluginLifecycle.ts"
import { type KeptPluginCall, PluginCalls } from "./PluginCall.ts"
import { PluginCallers, pluginCallsWork, settleCall } from "./callLifecycle.ts"
import { failure, type Verdict, verdictOf } from "./callVerdicts.ts"

/** Asks a plugin once to act. Secret settings stay here: the plugin has them already. */
const askPlugin = Effect.fnUntraced(function* (plugin: KeptPlugin, action: PluginAction, call: KeptPluginCall) {
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

/** How many requests are on their way to one plugin. */
const requestsAtOnce = 5

const actionOf = (plugin: KeptPlugin | null, { action }: KeptPluginCall): PluginAction | null =>
  plugin?.status === "enabled" ? (plugin.manifest.actions?.find(({ key }) => key === action) ?? null) : null

/** What becomes of a call now, without anything of it being kept. */
const tried = Effect.fnUntraced(function* (call: KeptPluginCall) {
  if (call.state === "waiting") return failure("plugin_timeout", "It did not say within a day what came of it.")
  if (yield* (yield* PluginCallers).isGivenUp(call)) {
    return failure("run_ended", "The run that has asked for it is over, or has gone on without it.")
  }
  const plugin = yield* (yield* Plugins).find(call.pluginId)
  const action = actionOf(plugin, call)
  if (plugin === null || action === null) return failure("plugin_disabled", "The plugin does not act any more.")
  return verdictOf(action, call.caller, yield* askPlugin(plugin, action, call))
})

/** Keeps what came of a try. Somebody who has ended the call meanwhile was earlier. */
const keep = Effect.fnUntraced(
  function* (lease: LaneLease, { id, state, tries }: KeptPluginCall, verdict: Verdict) {
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
const workCalls = Effect.fnUntraced(function* (lease: LaneLease) {
  const pluginId = PluginId.make(lease.key)
  const calls = yield* PluginCalls
  while (yield* isRunning) {
    const due = yield* calls.due(pluginId, yield* DateTime.now, requestsAtOnce)
    if (due.length === 0) return
    yield* Effect.forEach(due, (call) => Effect.flatMap(tried(call), (verdict) => keep(lease, call, verdict)), {
      concurrency: requestsAtOnce,
      discard: true
    })
  }
})

/** Plugins mostly are waited for, so there is room for many: a slow one keeps no other waiting. */
const pluginsAtOnce = 128

/** When to look again whether a suspended organization is active, or its plan has plugins. */
const whileStopped = Duration.minutes(10)

const inName = asSystem("plugins")

const nextDue = Effect.fnUntraced(function* ({ key }: LaneLease) {
  const due = yield* (yield* PluginCalls).nextDue(PluginId.make(key))
  if (due === null || (yield* isRunning)) return due
  return DateTime.addDuration(yield* DateTime.now, whileStopped)
})

/** Each plugin is asked to act by one process at a time. */
export const callLanes = laneWork({
  name: pluginCallsWork,
  concurrency: pluginsAtOnce,
  run: (lease) => inName(lease.organizationId)(workCalls(lease)),
  nextDue: (lease) => inName(lease.organizationId)(nextDue(lease))
})
