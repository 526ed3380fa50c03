import { DateTime, Effect } from "effect"
import { PluginId, transact } from "../../../kernel/index.ts"
import { type LaneLease, LaneQueue } from "../../../platform/background/index.ts"
import { isRunning } from "../lifecycle/isRunning.ts"
import type { PluginAction } from "../manifests/PluginManifest.ts"
import { type KeptPlugin, Plugins } from "../Plugins.ts"
import { failure, type Verdict, verdictOf } from "./answers.ts"
import { askPlugin } from "./askPlugin.ts"
import { settleCall } from "./endCall.ts"
import type { KeptPluginCall } from "./PluginCall.ts"
import { PluginCallers } from "./PluginCallers.ts"
import { PluginCalls } from "./PluginCalls.ts"

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
export const workCalls = Effect.fnUntraced(function* (lease: LaneLease) {
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
