import { Effect } from "effect"
import type { TypedVocabulary } from "../../../campaigns/index.ts"
import { ContactFields } from "../../../crm/index.ts"
import { Plugins, type PluginSchema } from "../../../integrations/plugins/index.ts"
import type { ValidationIssue } from "../../../kernel/index.ts"
import { ChatAccounts } from "../../../messaging/chat/index.ts"
import type { Action, ActionOf, AutomationAction } from "../actions/Action.ts"
import { vocabularyOf } from "../actions/variablePaths.ts"
import { resolveVariableTypes } from "../actions/variableTypes.ts"
import { validateHttpRequest } from "../requests/httpTargets.ts"
import { validateActionMessage, validateMemberUsers, validateActionTemplate } from "./messageChecks.ts"
import {
  validatePluginAction,
  validateWebhookAction,
  validateAttributeAction,
  validateAutoAssignMembers,
  validateScheduleReference,
  validateWorkflowAction,
  validateTagAction
} from "./resourceChecks.ts"
import { validateActionTexts, usesAttributes } from "./textChecks.ts"

const validateChatAccount = Effect.fnUntraced(function* (
  { chatAccountId }: Pick<ActionOf<"send_message">, "chatAccountId">,
  pointer: string
) {
  if (chatAccountId === undefined) return []
  const [account] = yield* (yield* ChatAccounts).find([chatAccountId])
  return account === undefined
    ? [{ pointer: `${pointer}/chatAccountId`, message: "There is no chat account with this id" }]
    : []
})

const validateSnooze = (
  { snoozeSeconds, status }: ActionOf<"set_status">,
  pointer: string
): ReadonlyArray<ValidationIssue> => {
  if ((status === "snoozed") === (snoozeSeconds !== undefined)) return []
  const message = status === "snoozed" ? "Expected the duration of the snooze" : "Expected with snoozed only"
  return [{ pointer: `${pointer}/snoozeSeconds`, message }]
}

const validateActionFields = (action: Action, pointer: string, vocabulary: TypedVocabulary) => {
  switch (action.type) {
    case "send_message": {
      const { chatAccountId, message, whenClosed } = action
      return Effect.all([
        validateChatAccount(action, pointer),
        validateActionMessage(message, `${pointer}/message`),
        whenClosed === undefined
          ? Effect.succeed([])
          : validateActionTemplate(whenClosed, chatAccountId, `${pointer}/whenClosed`)
      ])
    }
    case "send_template":
      return Effect.all([
        validateChatAccount(action, pointer),
        validateActionTemplate(action.template, action.chatAccountId, `${pointer}/template`)
      ])
    case "send_away":
      return Effect.all([
        validateScheduleReference(action, pointer),
        validateActionMessage(action.message, `${pointer}/message`)
      ])
    case "auto_assign":
      return Effect.all([validateAutoAssignMembers(action, pointer)])
    case "tag":
    case "untag":
      return Effect.all([validateTagAction(action, pointer)])
    case "set_attribute":
      return Effect.all([validateAttributeAction(action, pointer)])
    case "assign": {
      const { assigneeId } = action
      const people = assigneeId === null ? [] : [[assigneeId, `${pointer}/assigneeId`] as const]
      return Effect.all([validateMemberUsers(people, "conversations.manage")])
    }
    case "set_status":
      return Effect.succeed([validateSnooze(action, pointer)])
    case "add_note":
      return Effect.all([
        validateMemberUsers(
          (action.mentions ?? []).map((id, index) => [id, `${pointer}/mentions/${index}`] as const),
          "conversations.read"
        )
      ])
    case "call_webhook":
      return Effect.all([validateWebhookAction(action, pointer)])
    case "http_request":
      return Effect.all([validateHttpRequest(action, pointer)])
    case "start_workflow":
      return Effect.all([validateWorkflowAction(action, pointer)])
    case "plugin_action":
      return Effect.all([validatePluginAction(action, pointer, vocabulary)])
    case "set_name":
    case "set_consent":
    case "set_priority":
    case "add_labels":
    case "remove_labels":
      return Effect.succeed([])
  }
}

const noOutputs: ReadonlyMap<string, PluginSchema> = new Map()

/** Validates an action. `groups` are the variables available to its texts; `outputs` are the output schemas of plugin nodes of the same workflow. */
export const validateAction = Effect.fnUntraced(function* (
  action: Action,
  groups: ReadonlySet<string>,
  pointer: string,
  outputs = noOutputs
) {
  const fields = usesAttributes(action) ? yield* (yield* ContactFields).all() : []
  const vocabulary: TypedVocabulary = {
    ...vocabularyOf(groups),
    typesOf: (path) => resolveVariableTypes(path, { fields, outputs })
  }
  const own: ReadonlyArray<ReadonlyArray<ValidationIssue>> = yield* validateActionFields(action, pointer, vocabulary)
  return [...own.flat(), ...(yield* validateActionTexts(action, vocabulary, fields, pointer))]
})

/** Schema of the answer of an HTTP request. The body is any JSON. */
const httpOutputSchema: PluginSchema = {
  type: "object",
  properties: { status: { type: ["integer", "null"] }, body: true }
}

/** Action with the name under which later texts read its result. */
export interface NamedAction {
  readonly name: string
  readonly action: Action
}

/** Output schemas of HTTP requests and plugin actions, by name. */
export const loadOutputSchemas = Effect.fnUntraced(function* (named: ReadonlyArray<NamedAction>) {
  const outputs = new Map<string, PluginSchema>()
  for (const { action, name } of named) {
    if (action.type === "http_request") outputs.set(name, httpOutputSchema)
    if (action.type !== "plugin_action") continue
    const plugin = yield* (yield* Plugins).find(action.pluginId)
    const called = plugin?.manifest.actions?.find(({ key }) => key === action.action)
    if (called !== undefined) outputs.set(name, called.output as PluginSchema)
  }
  return outputs
})

const toNamed = (actions: ReadonlyArray<AutomationAction>): ReadonlyArray<NamedAction> =>
  actions.flatMap((action) => (action.id === undefined ? [] : [{ name: action.id, action }]))

const findRepeatedIds = (actions: ReadonlyArray<AutomationAction>, pointer: string): ReadonlyArray<ValidationIssue> =>
  actions.flatMap(({ id }, index) =>
    id !== undefined && actions.findIndex((other) => other.id === id) < index
      ? [{ pointer: `${pointer}/${index}/id`, message: "Expected each id once" }]
      : []
  )

/** Finds all problems of the actions of an automation, with their pointers. An action can read the results of earlier ones with an id. */
export const validateActions = Effect.fnUntraced(function* (
  actions: ReadonlyArray<AutomationAction>,
  groups: ReadonlySet<string>,
  pointer: string
) {
  const outputs = yield* loadOutputSchemas(toNamed(actions))
  const faults = yield* Effect.forEach(actions, (action, index) => {
    const earlier = toNamed(actions.slice(0, index)).map(({ name }) => `steps.${name}`)
    const known = earlier.length === 0 ? groups : new Set([...groups, "steps", ...earlier])
    return validateAction(action, known, `${pointer}/${index}`, outputs)
  })
  return [...findRepeatedIds(actions, pointer), ...faults.flat()]
})
