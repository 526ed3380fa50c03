import { Duration, type Schema } from "effect"
import { type Fault, readJson } from "../../../kernel/index.ts"
import type { WebhookAnswer } from "../../webhooks/index.ts"
import type { PluginAction } from "../PluginManifest.ts"
import { membersOf } from "../schemas/PluginSchema.ts"
import { faultsOfValue, keepable } from "../schemas/valueFaults.ts"
import type { PluginCaller, PluginCallError } from "./PluginCall.ts"

/** What an answer to an action means. */
export type Verdict =
  | { readonly kind: "done"; readonly output: Schema.Json }
  | { readonly kind: "later" }
  | { readonly kind: "failed"; readonly error: PluginCallError }
  | { readonly kind: "again" }

const gaps: Readonly<Record<PluginCaller, ReadonlyArray<Duration.Duration>>> = {
  automation: [Duration.seconds(5), Duration.seconds(30)],
  workflow: [Duration.seconds(5), Duration.seconds(30), Duration.minutes(2), Duration.minutes(10), Duration.hours(1)]
}

/** How long to wait after so many tries; `null`: there is no other. */
export const gapAfter = (caller: PluginCaller, tries: number): Duration.Duration | null =>
  gaps[caller][tries - 1] ?? null

/** For how long a workflow waits for what is answered later. */
export const longestWait = Duration.hours(24)

const longestWords = 500

const shortened = (text: Schema.Json | undefined, most: number): string | null =>
  typeof text === "string" ? Array.from(keepable(text)).slice(0, most).join("") : null

/** That an action has failed, and why. */
export const failure = (code: PluginCallError["code"], message: string, pluginCode: string | null = null): Verdict => ({
  kind: "failed",
  error: { code, pluginCode, message }
})

const read = (text: string | null): Readonly<Record<string, Schema.Json>> | null => {
  if (text === null) return null
  const reading = readJson(text)
  return "value" in reading ? membersOf(reading.value as Schema.Json) : null
}

/** What is wrong with an output; `null` if nothing is. */
export const faultOfOutput = ({ output: schema }: PluginAction, output: Schema.Json): Fault | null =>
  faultsOfValue(schema as Schema.Json, output, "/output")[0] ?? null

const ofOutput = (action: PluginAction, text: string | null): Verdict => {
  const output = read(text)?.["output"]
  if (output === undefined) return failure("plugin_output_invalid", "It answered without an output, or with too much.")
  const fault = faultOfOutput(action, output)
  if (fault === null) return { kind: "done", output }
  return failure("plugin_output_invalid", `At ${fault.pointer} of its answer: ${fault.message}.`)
}

const ofRefusal = (text: string | null): Verdict => {
  const said = membersOf(read(text)?.["error"])
  const code = shortened(said?.["code"], 100)
  const message = shortened(said?.["message"], longestWords)
  return code === null || message === null
    ? failure("plugin_answer_invalid", "It refused without saying why.")
    : failure("plugin_refused", message, code)
}

/** What an answer means for whoever has asked. */
export const verdictOf = (action: PluginAction, caller: PluginCaller, { status, text }: WebhookAnswer): Verdict => {
  if (status === null || status === 429 || status >= 500) return { kind: "again" }
  if (status === 200) return ofOutput(action, text)
  if (status === 202) return caller === "workflow" ? { kind: "later" } : { kind: "done", output: null }
  return status === 422 ? ofRefusal(text) : failure("plugin_answer_invalid", `It answered ${status}.`)
}
