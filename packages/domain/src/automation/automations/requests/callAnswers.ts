import { Schema } from "effect"
import { isStorable, StorableJson, type ValidationIssue } from "../../../kernel/index.ts"
import type { Action } from "../actions/Action.ts"
import type { ActionError, ActionResult } from "../actions/ActionResult.ts"
import { interpretHttpAnswer } from "./httpAnswers.ts"

/** Assumed answer of an HTTP request in a test. */
const HttpCallAnswer = Schema.Struct({
  status: Schema.Number.check(
    Schema.isInt({ message: "Expected a whole number" }),
    Schema.isBetween({ minimum: 200, maximum: 599 }, { message: "Expected a status from 200 to 599" })
  ).annotateKey({ description: "Status of the answer." }),
  body: Schema.optionalKey(StorableJson).annotateKey({ description: "JSON of the answer. Default: null." })
}).annotate({ identifier: "HttpCallAnswer" })

/** Assumed answer of a plugin action in a test. */
const PluginCallAnswer = Schema.Struct({
  output: StorableJson.annotateKey({ description: "Output of the plugin." })
}).annotate({ identifier: "PluginCallAnswer" })

/** Assumed answer of a call in a test. */
export const CallAnswer = Schema.Union([HttpCallAnswer, PluginCallAnswer])
export type CallAnswer = typeof CallAnswer.Type

/** Assumed answers by the id of the action. */
export const CallAnswers = Schema.Record(Schema.String, CallAnswer).check(isStorable)

/** Result of a call in a test. Without an assumed answer, it is done without an output. */
export interface AssumedResult {
  readonly output: Schema.Json
  readonly error: ActionError | null
}

/** Applies an assumed answer by the rules of a real one. */
export const assumeAnswer = (answer: CallAnswer | undefined): AssumedResult => {
  if (answer === undefined) return { output: null, error: null }
  if ("output" in answer) return { output: answer.output, error: null }
  const { body = null, status } = answer
  const text = JSON.stringify(body)
  const verdict = interpretHttpAnswer({ status, error: null, retryAfterSeconds: null, text })
  return {
    output: verdict.output,
    error: verdict.kind === "done" ? null : { code: verdict.error.code, detail: verdict.error.message }
  }
}

/** Result of an action in a test. A call ends immediately with its assumed answer. */
export const endCall = (result: ActionResult, answer: CallAnswer | undefined) => {
  if (result.kind !== "calling") return { result, output: null }
  const { error, output } = assumeAnswer(answer)
  const ended: ActionResult = error === null ? { kind: "done", effect: result.effect } : { kind: "refused", error }
  return { result: ended, output }
}

/** Problem of an answer for an action; `null` if it fits. */
export const answerIssue = (
  action: Action | undefined,
  answer: CallAnswer,
  pointer: string
): ValidationIssue | null => {
  const isHttp = action?.type === "http_request"
  if (!isHttp && action?.type !== "plugin_action") {
    return { pointer, message: "There is no HTTP request and no plugin action with this id" }
  }
  if (isHttp === "status" in answer) return null
  return { pointer, message: isHttp ? "Expected a status, and the body if needed" : "Expected an output" }
}
