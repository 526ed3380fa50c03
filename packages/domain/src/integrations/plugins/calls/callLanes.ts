import { DateTime, Duration, Effect, Redacted } from "effect"
import { asSystem, CurrentOrganization, PluginId, transact } from "../../../kernel/index.ts"
import { type LaneLease, LaneQueue, defineLaneWorker } from "../../../platform/background/index.ts"
import { managedSecrets, WebhookSender } from "../../webhooks/index.ts"
import { toPluginUrl, type PluginAction } from "../PluginManifest.ts"
import { type StoredPlugin, Plugins } from "../Plugins.ts"
import { subscriptionOf } from "../lifecycle/LifecycleCalls.ts"
import { canRunPlugins } from "../lifecycle/pluginLifecycle.ts"
import { type StoredPluginCall, PluginCalls } from "./PluginCalls.ts"
import { PluginCallAttempt } from "./PluginCallLog.ts"
import { ActionCallListeners, pluginCallTaskName, settleCall, toActionCall } from "./callLifecycle.ts"
import { failedPluginResponse, type PluginResponse, interpretResponse } from "./pluginResponses.ts"

/** Sends one request for an action. It contains no secret settings, because the plugin has them already. */
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
  const answer = yield* (yield* WebhookSender).ask(
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
  const { durationMs, error, request, response, status } = answer
  const attempt = new PluginCallAttempt({ number: call.tries + 1, at, durationMs, status, error, request, response })
  return { verdict: interpretResponse(action, answer), attempt }
})

/** Maximum number of concurrent requests to one plugin. */
const maxConcurrentRequests = 5

const findEnabledAction = (plugin: StoredPlugin | null, { action }: StoredPluginCall): PluginAction | null =>
  plugin?.status === "enabled" ? (plugin.manifest.actions?.find(({ key }) => key === action) ?? null) : null

/** Result of an attempt; `attempt` is `null` if no request was sent. */
interface CallAttempt {
  readonly verdict: PluginResponse
  readonly attempt: PluginCallAttempt | null
}

const failedAttempt = (...reason: Parameters<typeof failedPluginResponse>): CallAttempt => ({
  verdict: failedPluginResponse(...reason),
  attempt: null
})

/** Returns the result of an attempt, without storing it. */
const attemptCall = Effect.fnUntraced(function* (call: StoredPluginCall) {
  if (call.state === "awaiting_completion")
    return failedAttempt("plugin_timeout", "The plugin did not complete the call within one day.")
  if (yield* (yield* ActionCallListeners).isGivenUp(toActionCall(call))) {
    return failedAttempt("run_ended", "The run has ended or continued without the call.")
  }
  const plugin = yield* (yield* Plugins).find(call.pluginId)
  const action = findEnabledAction(plugin, call)
  if (plugin === null || action === null) return failedAttempt("plugin_disabled", "The plugin is no longer active.")
  return yield* requestPluginAction(plugin, action, call)
})

/** Stores the result of an attempt, unless the call has ended concurrently. */
const saveAttempt = Effect.fnUntraced(
  function* (lease: LaneLease, { id, state, tries }: StoredPluginCall, { attempt, verdict }: CallAttempt) {
    const call = yield* (yield* PluginCalls).lock(id)
    if (call.state === state && call.tries === tries) {
      const attempted = state === "pending" ? { ...call, tries: tries + 1 } : call
      yield* settleCall(attempt === null ? attempted : { ...attempted, log: [...call.log, attempt] }, verdict)
    }
    yield* (yield* LaneQueue).hold(lease)
  },
  transact,
  Effect.catchTag("NotFound", () => Effect.void)
)

/** Sends the due calls of a plugin, some concurrently, until none is due. */
const processCalls = Effect.fnUntraced(function* (lease: LaneLease) {
  const pluginId = PluginId.make(lease.key)
  const calls = yield* PluginCalls
  while (yield* canRunPlugins) {
    const due = yield* calls.due(pluginId, yield* DateTime.now, maxConcurrentRequests)
    if (due.length === 0) return
    yield* Effect.forEach(
      due,
      (call) => Effect.flatMap(attemptCall(call), (attempted) => saveAttempt(lease, call, attempted)),
      {
        concurrency: maxConcurrentRequests,
        discard: true
      }
    )
  }
})

/** Most time is spent waiting for plugins. The limit is high, because a slow plugin must not delay others. */
const maxConcurrentPlugins = 128

/** Interval between checks whether a suspended organization is active, or its plan includes plugins. */
const stoppedRecheckInterval = Duration.minutes(10)

const asPluginSystem = asSystem("plugins")

const nextDue = Effect.fnUntraced(function* ({ key }: LaneLease) {
  const due = yield* (yield* PluginCalls).nextDue(PluginId.make(key))
  if (due === null || (yield* canRunPlugins)) return due
  return DateTime.addDuration(yield* DateTime.now, stoppedRecheckInterval)
})

/** One process at a time calls the actions of a plugin. */
export const pluginCallLaneWorker = defineLaneWorker({
  name: pluginCallTaskName,
  concurrency: maxConcurrentPlugins,
  run: (lease) => asPluginSystem(lease.organizationId)(processCalls(lease)),
  nextDue: (lease) => asPluginSystem(lease.organizationId)(nextDue(lease))
})
