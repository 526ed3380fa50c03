import { Schema } from "effect"
import { codeOf, ValidationFailed } from "../../../kernel/index.ts"
import type { ActionError } from "./ActionResult.ts"

const words = {
  frequency_cap: "The contact has had as many marketing messages as the settings of broadcasts allow.",
  message_limit: "The contact has had 10 automated messages in an hour, or 30 in a day.",
  missing_variable: "A variable of the text is empty. Add a default.",
  no_conversation: "The contact has no conversation that is not resolved.",
  not_subscribed: "The contact has not agreed to marketing.",
  text_too_long: "A text would be longer than 4096 characters.",
  webhook_disabled: "The webhook subscription is disabled."
} as const

/** Why an action is not performed that the API call would have been. */
export type ActionRefusal = keyof typeof words

/** An action is not performed, and never will be by this run. */
export class ActionRefused extends Schema.TaggedError<ActionRefused>()("ActionRefused", {
  reason: Schema.Literals(Object.keys(words) as ReadonlyArray<ActionRefusal>),
  /** Variable that is empty or invalid. */
  variable: Schema.optionalKey(Schema.String),
  /** JSON pointer within the action. */
  pointer: Schema.optionalKey(Schema.String)
}) {
  override get message() {
    const { reason, variable } = this
    if (reason !== "missing_variable" || variable === undefined) return words[reason]
    return `The variable ${variable} is empty or does not fit. Add a default.`
  }
}

/** Somebody else has performed the action meanwhile. */
export class ActionRepeated extends Schema.TaggedError<ActionRepeated>()("ActionRepeated", {}) {
  override get message() {
    return "The action was performed already."
  }
}

/** A workflow does not begin, with the code that the call which begins one has for it. */
export class WorkflowRefused extends Schema.TaggedError<WorkflowRefused>()("WorkflowRefused", {
  code: Schema.String,
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}

/** The inbox does not change a conversation so. */
export class ConversationRefused extends Schema.TaggedError<ConversationRefused>()("ConversationRefused", {
  code: Schema.String,
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}

type Tagged = { readonly _tag: string }

const saysReason = (error: Tagged): error is Tagged & { readonly reason: string } =>
  error._tag === "ActionRefused" || error._tag === "PluginCallRefused"

const saysCode = (error: Tagged): error is Tagged & { readonly code: string } =>
  error._tag === "ConversationRefused" || error._tag === "WorkflowRefused"

type Failure = Tagged & { readonly message: string }

/** Variable and field of a failure, if known. */
const placeOf = (error: Failure): Pick<ActionError, "variable" | "pointer"> => {
  if (error instanceof ActionRefused) {
    const { pointer, variable } = error
    return { ...(variable !== undefined && { variable }), ...(pointer !== undefined && { pointer }) }
  }
  const [first] = error instanceof ValidationFailed ? error.errors : []
  return first === undefined ? {} : { pointer: first.pointer }
}

/** Converts a failure to the error of a run, with the code of the API call. */
export const refusalOf = (error: Failure): ActionError => ({
  code: saysCode(error) ? error.code : saysReason(error) ? error.reason : codeOf(error._tag),
  detail: error.message,
  ...placeOf(error)
})
