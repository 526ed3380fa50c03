import { Effect, Option, Predicate, Schema } from "effect"
import { CurrentActor, FeatureGate, hasPermission, type ValidationIssue } from "../../../kernel/index.ts"
import type { AutomationDefinition } from "../Automation.ts"
import { AutomationAction, maxActions } from "../actions/Action.ts"
import { needsOfAutomations } from "../automationPermissions.ts"
import { ConditionInput } from "../conditions/ConditionInput.ts"
import { Trigger } from "../triggers/Trigger.ts"
import { findDefinitionIssues } from "./definitionChecks.ts"

const decodeTrigger = Schema.decodeUnknownOption(Trigger)
const decodeCondition = Schema.decodeUnknownOption(ConditionInput)
const decodeAction = Schema.decodeUnknownOption(AutomationAction)

/** Parts of a definition that their schemas accept, with the index of each action. */
const readParts = (value: unknown) => {
  const { if: condition, then, when }: Readonly<Record<string, unknown>> = Predicate.isObject(value) ? { ...value } : {}
  const actions = Array.isArray(then) ? then.slice(0, maxActions) : []
  return {
    when: Option.getOrNull(decodeTrigger(when)),
    if: Option.getOrElse(decodeCondition(condition), (): ConditionInput => ({})),
    actions: actions.flatMap((action: unknown, index) =>
      Option.match(decodeAction(action), { onNone: () => [], onSome: (action) => [{ action, index }] })
    )
  }
}

/** Whether the actor can save this definition. Other actors must not learn which resources exist. */
const canSave = Effect.fnUntraced(function* (definition: AutomationDefinition) {
  const actor = yield* CurrentActor
  if (!hasPermission(actor, "automations.manage")) return false
  const isInPlan = yield* Effect.match((yield* FeatureGate).require("automations"), {
    onFailure: () => false,
    onSuccess: () => true
  })
  if (!isInPlan) return false
  return Array.from(yield* needsOfAutomations([definition])).every((permission) => hasPermission(actor, permission))
})

const thenPointer = /^(\/then\/)(\d+)/u

/**
 * Finds the issues of a definition that its schema rejects, in the parts that the schema accepts. `at` is its pointer. One answer then has all
 * issues.
 */
export const issuesOfMalformedDefinition = Effect.fnUntraced(function* (value: unknown, at: string) {
  const none: ReadonlyArray<ValidationIssue> = []
  const { actions, if: condition, when } = readParts(value)
  const definition: AutomationDefinition = { when, if: condition, then: actions.map(({ action }) => action) }
  if (!(yield* canSave(definition))) return none
  const issues = yield* findDefinitionIssues(definition)
  return issues.map(({ message, pointer }) => ({
    pointer: `${at}${pointer.replace(thenPointer, (_, list: string, place: string) => `${list}${actions[Number(place)]?.index ?? place}`)}`,
    message
  }))
})
