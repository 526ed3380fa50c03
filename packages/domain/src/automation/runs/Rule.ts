import { Effect } from "effect"
import { type AutomationDefinition, type AutomationId, definitionOf } from "../Automation.ts"
import { Automations } from "../Automations.ts"
import type { Trigger } from "../triggers/Trigger.ts"

/** What an automation is to do, in one of its versions. */
export interface Rule extends AutomationDefinition {
  readonly id: AutomationId
  readonly version: number
  readonly when: Trigger
}

/** That version of the automation; `null` where it is gone or not enabled any more. */
export const ruleOf = Effect.fnUntraced(function* (id: AutomationId, version: number) {
  const automations = yield* Automations
  const found = yield* Effect.option(automations.get(id))
  if (found._tag === "None" || !found.value.enabled) return null
  const definition =
    found.value.version === version ? definitionOf(found.value) : yield* automations.definition(id, version)
  if (definition === null || definition.when === null) return null
  const rule: Rule = { ...definition, when: definition.when, id, version }
  return rule
})
