import { Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { utf8Bytes } from "../../../platform/files/index.ts"
import { CurrentActor, invalid, NotFound, transact, useCase } from "../../../kernel/index.ts"
import { failure, faultOfOutput, type Verdict } from "../calls/answers.ts"
import { settleCall } from "../calls/endCall.ts"
import { type KeptPluginCall, PluginCall, type PluginCallCompletion, type PluginCallId } from "../calls/PluginCall.ts"
import { PluginCalls } from "../calls/PluginCalls.ts"
import { PluginCallEnded } from "../Errors.ts"
import { mostPluginBytes } from "../manifests/PluginManifest.ts"
import { Plugins } from "../Plugins.ts"
import { faultOfCharacters } from "../schemas/faultOfCharacters.ts"

const verdictFrom = Effect.fnUntraced(function* (call: KeptPluginCall, { error, output }: PluginCallCompletion) {
  if ((output === undefined) === (error === undefined)) return yield* invalid("", "Expected one of: output, error")
  const unkept = error === undefined ? null : faultOfCharacters(error, "/error")
  if (unkept !== null) return yield* invalid(unkept.pointer, unkept.message)
  if (error !== undefined) return failure("plugin_refused", error.message, error.code)
  if (output === undefined) return yield* invalid("/output", "Expected an output")
  if (utf8Bytes(JSON.stringify(output)).length > mostPluginBytes) {
    return yield* invalid("/output", "Expected an output of at most 64 KiB")
  }
  const plugin = yield* (yield* Plugins).find(call.pluginId)
  const action = plugin?.manifest.actions?.find(({ key }) => key === call.action)
  const fault = action === undefined ? null : faultOfOutput(action, output)
  if (fault !== null) return yield* invalid(fault.pointer, fault.message)
  return { kind: "done", output } satisfies Verdict
})

/** Says what came of an action that was to be answered later. A plugin says it of its own calls, a person of any. */
export const completePluginCall = useCase(
  "plugins.completeCall",
  { access: { permission: "plugins.manage", alsoPlugins: true }, gatedBy: "plugins", actsThrough: "nothing" },
  Effect.fnUntraced(function* (id: PluginCallId, completion: PluginCallCompletion) {
    const actor = yield* CurrentActor
    const call = yield* (yield* PluginCalls).lock(id)
    if (actor.kind === "plugin" && actor.pluginId !== call.pluginId) {
      return yield* new NotFound({ resource: "plugin call" })
    }
    if (call.state !== "waiting") return yield* new PluginCallEnded({ state: call.state })
    const settled = yield* settleCall(call, yield* verdictFrom(call, completion))
    yield* record("plugin_call.completed", { kind: "plugin_call", id }, { after: { state: settled.state } })
    return new PluginCall({ id, action: settled.action, state: settled.state, error: settled.error })
  }, transact)
)
