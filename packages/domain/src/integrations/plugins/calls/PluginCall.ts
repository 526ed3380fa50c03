import { Schema } from "effect"
import { isStorable, StorableJson, Uuid } from "../../../kernel/index.ts"

export const PluginCallId = Uuid.pipe(Schema.brand("PluginCallId"))
export type PluginCallId = typeof PluginCallId.Type

/** Reasons why an action failed. */
export const PluginCallErrorCode = Schema.Literals([
  "plugin_answer_invalid",
  "plugin_disabled",
  "plugin_output_invalid",
  "plugin_refused",
  "plugin_timeout",
  "plugin_unreachable",
  "run_ended"
])
export type PluginCallErrorCode = typeof PluginCallErrorCode.Type

/** Reason of a failed action, with the plugin's own message if the plugin refused it. */
export const PluginCallError = Schema.Struct({
  code: PluginCallErrorCode,
  pluginCode: Schema.NullOr(Schema.String),
  message: Schema.String
}).annotate({ identifier: "PluginCallError" })
export type PluginCallError = typeof PluginCallError.Type

/** `pending`: the request is due now or later. `awaiting_completion`: the plugin will answer later. */
export const PluginCallState = Schema.Literals(["pending", "awaiting_completion", "done", "failed"])

/** Callers of plugin actions: a workflow can wait for the answer, an automation cannot. */
export const PluginCaller = Schema.Literals(["automation", "workflow"])
export type PluginCaller = typeof PluginCaller.Type

/** State of a call. */
export class PluginCall extends Schema.Class<PluginCall>("PluginCall")({
  id: PluginCallId,
  action: Schema.String,
  state: PluginCallState,
  error: Schema.NullOr(PluginCallError)
}) {}

/** Result of an action with a late answer: its output or its error. */
export const PluginCallCompletion = Schema.Struct({
  output: Schema.optionalKey(StorableJson).annotateKey({
    description: "Value that matches the `output` of the manifest."
  }),
  error: Schema.optionalKey(
    Schema.Struct({
      code: Schema.String.check(
        isStorable,
        Schema.isMaxCodePoints(100, { message: "Expected at most 100 characters" })
      ),
      message: Schema.String.check(
        isStorable,
        Schema.isMaxCodePoints(500, { message: "Expected at most 500 characters" })
      )
    })
  )
}).annotate({ identifier: "PluginCallCompletion" })
export type PluginCallCompletion = typeof PluginCallCompletion.Type
