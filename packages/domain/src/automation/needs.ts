import { Effect } from "effect"
import { needsOfFields } from "../crm/index.ts"
import { allNeeds, type Needs, type Permission } from "../kernel/index.ts"
import type { Action } from "./actions/Action.ts"
import { permissionOf } from "./actions/checks/permissionOf.ts"
import { pathsNamedBy } from "./actions/checks/faultsOfTexts.ts"
import { WorkflowStarts } from "./actions/WorkflowStarts.ts"
import type { AutomationDefinition } from "./Automation.ts"
import type { ConditionInput } from "./conditions/ConditionInput.ts"
import { fieldsBeside } from "./conditions/fieldsBeside.ts"
import { conditionSurroundings } from "./conditions/readCondition.ts"
import { everyGroup, isGroup, permissionOfGroup } from "./triggers/groups.ts"
import type { Trigger, TriggerEvent } from "./triggers/Trigger.ts"

/** The permission to see each event that starts something. */
export const permissionOfTrigger: Readonly<Record<TriggerEvent, Permission>> = {
  "message.received": "conversations.read",
  "conversation.opened": "conversations.read",
  "conversation.resolved": "conversations.read",
  "conversation.idle": "conversations.read",
  "contact.created": "contacts.read",
  "contact.tagged": "contacts.read",
  "contact.opted_out": "contacts.read",
  "order.created": "commerce.read",
  "order.paid": "commerce.read",
  "order.fulfilled": "commerce.read",
  "order.cancelled": "commerce.read",
  "order.refunded": "commerce.read",
  "cart.abandoned": "commerce.read",
  "broadcast.replied": "broadcasts.read"
}

/** The permission to read what a text names. Names of no group, such as `organization` and `input`, have none. */
const permissionOfPath = (path: ReadonlyArray<string>): ReadonlyArray<Permission> => {
  const [first = "", second = ""] = path
  // A name alone is a name of the contact, as in the values of broadcasts.
  if (path.length === 1 || first === "attribute") return ["contacts.read"]
  const group = first === "event" ? `event.${second}` : first
  return isGroup(group) ? [permissionOfGroup[group]] : []
}

/** The parts of definitions that decide what they reach. */
export interface ActingParts {
  readonly actions: ReadonlyArray<Action>
  readonly conditions: ReadonlyArray<ConditionInput>
  readonly triggers: ReadonlyArray<Trigger>
}

/** The permissions that these parts reach, without the workflows that they start. */
export const needsOfParts = Effect.fnUntraced(function* ({ actions, conditions, triggers }: ActingParts) {
  const { filters } = yield* conditionSurroundings(conditions)
  const others = [...filters.others, ...fieldsBeside(everyGroup)]
  const texts = actions.flatMap((action) => pathsNamedBy(action).flatMap(permissionOfPath))
  return allNeeds([
    actions.map(({ type }) => permissionOf[type]),
    texts,
    needsOfFields(conditions, { ...filters, others }),
    triggers.map(({ event }) => permissionOfTrigger[event])
  ])
})

/** The workflows that actions start. */
export const workflowsStartedBy = (actions: ReadonlyArray<Action>) => [
  ...new Set(actions.flatMap((action) => (action.type === "start_workflow" ? [action.workflowId] : [])))
]

/** The parts of an automation. */
export const partsOf = ({ if: condition, then, when }: AutomationDefinition): ActingParts => ({
  actions: then,
  conditions: [condition],
  triggers: when === null ? [] : [when]
})

/** All permissions that automations reach, including those of the workflows that they start, as published now. */
export const needsOfAutomations = Effect.fnUntraced(function* (definitions: ReadonlyArray<AutomationDefinition>) {
  const parts = definitions.map(partsOf)
  const actions = parts.flatMap((part) => part.actions)
  const own = yield* needsOfParts({
    actions,
    conditions: parts.flatMap((part) => part.conditions),
    triggers: parts.flatMap((part) => part.triggers)
  })
  const started = workflowsStartedBy(actions)
  const through = started.length === 0 ? [] : yield* (yield* WorkflowStarts).needs(started)
  const needs: Needs = allNeeds([own, through])
  return needs
})
