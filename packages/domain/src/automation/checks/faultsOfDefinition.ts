import { Effect } from "effect"
import type { Fault } from "../../kernel/index.ts"
import { faultsOfAction } from "../actions/checks/checkActions.ts"
import type { AutomationDefinition } from "../Automation.ts"
import { readCondition } from "../conditions/readCondition.ts"
import { isThere, knownThings } from "../conditions/namedThings.ts"
import { everyGroup, groupsOf } from "../triggers/groups.ts"
import { namedInTrigger } from "./namedInTrigger.ts"

/** What is wrong with a definition, and what it names that is not there. */
export interface DefinitionFaults {
  readonly faults: ReadonlyArray<Fault>
  readonly missing: ReadonlyArray<{ readonly resource: string; readonly pointer: string }>
}

/** What may be named after a trigger; anything, until it is said. */
export const groupsAfter = (when: AutomationDefinition["when"]) => (when === null ? everyGroup : groupsOf(when))

/** What of a trigger is not there. */
export const missingInTrigger = Effect.fnUntraced(function* (when: AutomationDefinition["when"], pointer = "/when") {
  const named = namedInTrigger(when, pointer)
  const known = yield* knownThings(named)
  return named
    .filter((thing) => !isThere(known, thing))
    .map((thing) => ({ resource: thing.kind, pointer: thing.pointer }))
})

/** Everything that is wrong with a definition as things are today. */
export const faultsOfDefinition = Effect.fnUntraced(function* (definition: AutomationDefinition) {
  const { if: condition, then, when } = definition
  const groups = groupsAfter(when)
  const read = yield* readCondition(condition, groups, "/if")
  const actions = yield* Effect.forEach(then, (action, index) => faultsOfAction(action, groups, `/then/${index}`))
  const found: DefinitionFaults = {
    faults: [...read.faults, ...actions.flat()],
    missing: [...(yield* missingInTrigger(when)), ...read.missing]
  }
  return found
})
