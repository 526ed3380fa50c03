import { Effect } from "effect"
import { filterFieldPermissions } from "../../crm/index.ts"
import { mergeRequiredPermissions, type RequiredPermissions, type Permission } from "../../kernel/index.ts"
import type { AutomationDefinition } from "./Automation.ts"
import type { Action, ActionType } from "./actions/Action.ts"
import { WorkflowStarter } from "./actions/externalActions.ts"
import { findVariablePaths } from "./checks/textChecks.ts"
import { type ConditionInput, findConditionLeaves } from "./conditions/ConditionInput.ts"
import { conditionOnlyFields } from "./conditions/factFields.ts"
import { loadConditionContext } from "./conditions/readCondition.ts"
import { audienceOf, type Trigger, type TriggerEvent } from "./triggers/Trigger.ts"
import { allFactGroups, isFactGroup, permissionOfGroup, withStepGroup } from "./triggers/factGroups.ts"

/** Permission of each action type. It equals the permission of the corresponding API call. */
const permissionOf: Readonly<Record<ActionType, Permission>> = {
  send_message: "conversations.manage",
  send_template: "conversations.manage",
  send_away: "conversations.manage",
  auto_assign: "conversations.manage",
  tag: "contacts.manage",
  untag: "contacts.manage",
  set_attribute: "contacts.manage",
  set_name: "contacts.manage",
  set_consent: "contacts.manage",
  assign: "conversations.manage",
  set_priority: "conversations.manage",
  add_labels: "conversations.manage",
  remove_labels: "conversations.manage",
  set_status: "conversations.manage",
  add_note: "conversations.manage",
  call_webhook: "webhook_subscriptions.manage",
  http_request: "webhook_subscriptions.manage",
  start_workflow: "workflows.manage",
  plugin_action: "plugins.manage"
}

/** Permission to read each trigger event. */
export const permissionOfTrigger: Readonly<Record<TriggerEvent, Permission>> = {
  "message.received": "conversations.read",
  "message.read": "conversations.read",
  "message.failed": "conversations.read",
  "conversation.opened": "conversations.read",
  "conversation.resolved": "conversations.read",
  "conversation.assigned": "conversations.read",
  "conversation.idle": "conversations.read",
  "contact.created": "contacts.read",
  "contact.updated": "contacts.read",
  "contact.tagged": "contacts.read",
  "contact.untagged": "contacts.read",
  "contact.opted_out": "contacts.read",
  "note.created": "conversations.read",
  "order.created": "commerce.read",
  "order.paid": "commerce.read",
  "order.fulfilled": "commerce.read",
  "order.cancelled": "commerce.read",
  "order.refunded": "commerce.read",
  "cart.abandoned": "commerce.read",
  "broadcast.replied": "broadcasts.read",
  "webhook.received": "contacts.read",
  "schedule.reached": "contacts.read",
  "contact.date_reached": "contacts.read"
}

/** Inputs and results of earlier steps come from other definitions, so they can contain data of all groups. */
const permissionsOfPassedValues: ReadonlyArray<Permission> = ["contacts.read", "conversations.read", "commerce.read"]

/** Permissions to read a template variable. Variables without a group, such as `organization`, need none. */
const permissionOfPath = (path: ReadonlyArray<string>): ReadonlyArray<Permission> => {
  const [first = "", second = ""] = path
  // A variable without a prefix belongs to the contact, like in broadcast values.
  if (path.length === 1 || first === "attribute") return ["contacts.read"]
  if (first === "input" || first === "steps") return permissionsOfPassedValues
  const group = first === "event" ? `event.${second}` : first
  return isFactGroup(group) ? [permissionOfGroup[group]] : []
}

/** Parts of a definition that determine its required permissions. */
export interface DefinitionParts {
  readonly actions: ReadonlyArray<Action>
  readonly conditions: ReadonlyArray<ConditionInput>
  readonly triggers: ReadonlyArray<Trigger>
}

/** Permissions of these parts, without the workflows that they start. */
export const needsOfParts = Effect.fnUntraced(function* ({ actions, conditions, triggers }: DefinitionParts) {
  const filterInputs = [...conditions, ...triggers.flatMap(audienceOf)]
  const { filters } = yield* loadConditionContext(filterInputs)
  const others = [...filters.others, ...conditionOnlyFields(withStepGroup(allFactGroups))]
  const readsSteps = conditions.some((input) =>
    findConditionLeaves(input, "").some(({ input: { field } }) => field === "steps")
  )
  const texts = actions.flatMap((action) => findVariablePaths(action).flatMap(permissionOfPath))
  return mergeRequiredPermissions([
    actions.map(({ type }) => permissionOf[type]),
    texts,
    readsSteps ? permissionsOfPassedValues : [],
    filterFieldPermissions(filterInputs, { ...filters, others }),
    triggers.map(({ event }) => permissionOfTrigger[event])
  ])
})

/** Workflows that actions start. */
export const workflowsStartedBy = (actions: ReadonlyArray<Action>) => [
  ...new Set(actions.flatMap((action) => (action.type === "start_workflow" ? [action.workflowId] : [])))
]

export const toDefinitionParts = ({ if: condition, then, when }: AutomationDefinition): DefinitionParts => ({
  actions: then,
  conditions: [condition],
  triggers: when === null ? [] : [when]
})

/** All permissions of these automations, including the published versions of the workflows that they start. */
export const needsOfAutomations = Effect.fnUntraced(function* (definitions: ReadonlyArray<AutomationDefinition>) {
  const parts = definitions.map(toDefinitionParts)
  const actions = parts.flatMap((part) => part.actions)
  const own = yield* needsOfParts({
    actions,
    conditions: parts.flatMap((part) => part.conditions),
    triggers: parts.flatMap((part) => part.triggers)
  })
  const started = workflowsStartedBy(actions)
  const through = started.length === 0 ? [] : yield* (yield* WorkflowStarter).needs(started)
  const needs: RequiredPermissions = mergeRequiredPermissions([own, through])
  return needs
})
