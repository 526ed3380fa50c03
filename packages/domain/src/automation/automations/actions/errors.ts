import { Schema } from "effect"
import { problemCode, ValidationFailed } from "../../../kernel/index.ts"
import type { ActionError } from "./ActionResult.ts"

const refusalMessages = {
  frequency_cap: "The contact has reached the maximum number of marketing messages in the broadcast settings.",
  message_limit: "The contact has received 10 automated messages in one hour, or 30 in one day.",
  missing_variable: "A variable of the text is empty. Add a default.",
  no_conversation: "The contact has no unresolved conversation.",
  not_subscribed: "The contact has not agreed to marketing.",
  text_too_long: "A text would be longer than 4096 characters.",
  webhook_disabled: "The webhook subscription is disabled.",
  webhook_url_differs: "The webhook subscription has another scheme, host or port than the URL."
} as const

/** Reason for a refusal that the API call does not have. */
export type ActionRefusal = keyof typeof refusalMessages

/** An action is refused permanently for this run. */
export class ActionRefused extends Schema.TaggedError<ActionRefused>()("ActionRefused", {
  reason: Schema.Literals(Object.keys(refusalMessages) as ReadonlyArray<ActionRefusal>),
  /** Variable that is empty or invalid. */
  variable: Schema.optionalKey(Schema.String),
  /** JSON pointer within the action. */
  pointer: Schema.optionalKey(Schema.String)
}) {
  override get message() {
    const { reason, variable } = this
    if (reason !== "missing_variable" || variable === undefined) return refusalMessages[reason]
    return `The variable ${variable} is empty or does not fit. Add a default.`
  }
}

/** Another process has already performed the action. */
export class ActionRepeated extends Schema.TaggedError<ActionRepeated>()("ActionRepeated", {}) {
  override get message() {
    return "The action was already performed."
  }
}

/** A workflow does not start. The code equals the code of the API call. */
export class WorkflowRefused extends Schema.TaggedError<WorkflowRefused>()("WorkflowRefused", {
  code: Schema.String,
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}

/** The inbox refuses the change of a conversation. */
export class ConversationRefused extends Schema.TaggedError<ConversationRefused>()("ConversationRefused", {
  code: Schema.String,
  detail: Schema.String
}) {
  override get message() {
    return this.detail
  }
}

type TaggedValue = { readonly _tag: string }

const hasReason = (error: TaggedValue): error is TaggedValue & { readonly reason: string } =>
  error._tag === "ActionRefused" || error._tag === "PluginCallRefused"

const hasCode = (error: TaggedValue): error is TaggedValue & { readonly code: string } =>
  error._tag === "ConversationRefused" || error._tag === "WorkflowRefused"

type Failure = TaggedValue & { readonly message: string }

/** Variable and field of a failure, if known. */
const placeOf = (error: Failure): Pick<ActionError, "variable" | "pointer"> => {
  if (error instanceof ActionRefused) {
    const { pointer, variable } = error
    return { ...(variable !== undefined && { variable }), ...(pointer !== undefined && { pointer }) }
  }
  const [first] = error instanceof ValidationFailed ? error.errors : []
  return first === undefined ? {} : { pointer: first.pointer }
}

/** The message of the call names a field that the action does not have. */
const optedOutDetail =
  "The contact has opted out of marketing. Only a later declaration of the contact through the chat provider changes this."

/** Converts a failure to the error of a run, with the code of the API call. */
export const toActionError = (error: Failure): ActionError => ({
  code: hasCode(error) ? error.code : hasReason(error) ? error.reason : problemCode(error._tag),
  detail: error._tag === "ContactOptedOut" ? optedOutDetail : error.message,
  ...placeOf(error)
})
