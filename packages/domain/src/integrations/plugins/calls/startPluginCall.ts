import { DateTime, Effect, type Schema } from "effect"
import { utf8Bytes } from "../../../platform/files/index.ts"
import { type Fault, Ids, type PluginId, ValidationFailed } from "../../../kernel/index.ts"
import { PluginCallRefused } from "../Errors.ts"
import { mostPluginBytes } from "../manifests/PluginManifest.ts"
import { Plugins } from "../Plugins.ts"
import { faultsOfValue } from "../schemas/faultsOfValue.ts"
import { type KeptPluginCall, PluginCallId, type PluginCaller } from "./PluginCall.ts"
import { openCallLane } from "./callLane.ts"
import { PluginCalls } from "./PluginCalls.ts"

/** What is asked of a plugin, and by whom. `key` is `run:step:visit`: the same names the same call. */
export interface AskedOfPlugin {
  readonly pluginId: PluginId
  readonly action: string
  readonly input: Schema.Json
  readonly caller: PluginCaller
  readonly runId: string
  readonly key: string
  readonly contactId: string | null
  readonly conversationId: string | null
}

/** Everything that is wrong with the input of an action. */
export const faultsOfInput = (schema: Schema.Json, input: Schema.Json, pointer: string): ReadonlyArray<Fault> =>
  utf8Bytes(JSON.stringify(input)).length > mostPluginBytes
    ? [{ pointer, message: "Expected an input of at most 64 KiB" }]
    : faultsOfValue(schema, input, pointer)

/**
 * Has a plugin asked to act, in the unit of work of whoever wants it to. Asked for once more by the same key, it is the same call.
 * What comes of it is told to those who are called when calls end.
 */
export const startPluginCall = Effect.fnUntraced(function* ({ action: key, input, ...asked }: AskedOfPlugin) {
  const plugin = yield* (yield* Plugins).find(asked.pluginId)
  if (plugin === null || plugin.status !== "enabled") return yield* new PluginCallRefused({ reason: "plugin_disabled" })
  const action = plugin.manifest.actions?.find((each) => each.key === key)
  if (action === undefined) return yield* new PluginCallRefused({ reason: "plugin_action_unknown" })
  const errors = faultsOfInput(action.input as Schema.Json, input, "/input")
  if (errors.length > 0) return yield* new ValidationFailed({ errors })
  const at = yield* DateTime.now
  const call: KeptPluginCall = {
    id: PluginCallId.make(yield* (yield* Ids).derived(asked.pluginId, asked.key)),
    ...asked,
    action: key,
    input,
    state: "pending",
    output: null,
    error: null,
    tries: 0,
    dueAt: at,
    at
  }
  if (yield* (yield* PluginCalls).add(call)) yield* openCallLane(asked.pluginId, at)
  return call.id
})
