import { Duration, type Schema } from "effect"
import { type ValidationIssue, readJson } from "../../../kernel/index.ts"
import type { WebhookResponse } from "../../webhooks/index.ts"
import type { PluginAction } from "../PluginManifest.ts"
import { membersOf } from "../schemas/PluginSchema.ts"
import { validateSchemaValue, toStorableJson } from "../schemas/valueValidation.ts"
import type { PluginCaller, PluginCallError } from "./PluginCall.ts"

/** Meaning of a response to an action. */
export type PluginResponse =
  | { readonly kind: "done"; readonly output: Schema.Json }
  | { readonly kind: "later" }
  | { readonly kind: "failed"; readonly error: PluginCallError }
  | { readonly kind: "again" }

const retryDelays: Readonly<Record<PluginCaller, ReadonlyArray<Duration.Duration>>> = {
  automation: [Duration.seconds(5), Duration.seconds(30)],
  workflow: [Duration.seconds(5), Duration.seconds(30), Duration.minutes(2), Duration.minutes(10), Duration.hours(1)]
}

/** Returns the delay after this number of attempts; `null` if no retry follows. */
export const callRetryDelay = (caller: PluginCaller, tries: number): Duration.Duration | null =>
  retryDelays[caller][tries - 1] ?? null

/** Maximum time for a delayed answer. */
export const maxCallWait = Duration.hours(24)

const maxMessageLength = 500

const truncateText = (text: Schema.Json | undefined, most: number): string | null =>
  typeof text === "string" ? Array.from(toStorableJson(text)).slice(0, most).join("") : null

/** Builds a failed response with its reason. */
export const failedPluginResponse = (
  code: PluginCallError["code"],
  message: string,
  pluginCode: string | null = null
): PluginResponse => ({
  kind: "failed",
  error: { code, pluginCode, message }
})

const parseObject = (text: string | null): Readonly<Record<string, Schema.Json>> | null => {
  if (text === null) return null
  const reading = readJson(text)
  return "value" in reading ? membersOf(reading.value as Schema.Json) : null
}

/** Returns the problem of an output; `null` if it is valid. */
export const outputIssue = ({ output: schema }: PluginAction, output: Schema.Json): ValidationIssue | null =>
  validateSchemaValue(schema as Schema.Json, output, "/output")[0] ?? null

const interpretOutput = (action: PluginAction, text: string | null): PluginResponse => {
  const output = parseObject(text)?.["output"]
  if (output === undefined)
    return failedPluginResponse("plugin_output_invalid", "The answer has no output, or is too large.")
  const fault = outputIssue(action, output)
  if (fault === null) return { kind: "done", output }
  return failedPluginResponse("plugin_output_invalid", `Invalid answer at ${fault.pointer}: ${fault.message}.`)
}

const interpretRefusal = (text: string | null): PluginResponse => {
  const error = membersOf(parseObject(text)?.["error"])
  const code = truncateText(error?.["code"], 100)
  const message = truncateText(error?.["message"], maxMessageLength)
  return code === null || message === null
    ? failedPluginResponse("plugin_answer_invalid", "The plugin refused without a reason.")
    : failedPluginResponse("plugin_refused", message, code)
}

/** Interprets a plugin's response. */
export const interpretResponse = (action: PluginAction, { status, text }: WebhookResponse): PluginResponse => {
  if (status === null || status === 429 || status >= 500) return { kind: "again" }
  if (status === 200) return interpretOutput(action, text)
  if (status === 202) return { kind: "later" }
  return status === 422
    ? interpretRefusal(text)
    : failedPluginResponse("plugin_answer_invalid", `It answered ${status}.`)
}
