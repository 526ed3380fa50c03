import { Effect } from "effect"
import type { Fault } from "../../../kernel/index.ts"
import { faultsOfAction } from "../actions/checks/checkActions.ts"
import type { AutomationDefinition } from "../Automation.ts"
import { conditionReader, conditionSurroundings } from "../conditions/readCondition.ts"
import { isThere, type KnownThings, knownThings, type NamedThing } from "../conditions/namedThings.ts"
import { everyGroup, groupsOf } from "../triggers/groups.ts"
import { namedInTrigger } from "./namedInTrigger.ts"

/** What is wrong with a definition, and what it names that is not there. */
export interface DefinitionFaults {
  readonly faults: ReadonlyArray<Fault>
  readonly missing: ReadonlyArray<{ readonly resource: string; readonly pointer: string }>
}

/** What may be named after a trigger; anything, until it is said. */
export const groupsAfter = (when: AutomationDefinition["when"]) => (when === null ? everyGroup : groupsOf(when))

const absentIn = (named: ReadonlyArray<NamedThing>, known: KnownThings): DefinitionFaults["missing"] =>
  named.filter((thing) => !isThere(known, thing)).map(({ kind, pointer }) => ({ resource: kind, pointer }))

/** What of a trigger is not there. */
export const missingInTrigger = Effect.fnUntraced(function* (when: AutomationDefinition["when"], pointer = "/when") {
  const named = namedInTrigger(when, pointer)
  return absentIn(named, yield* knownThings(named))
})

/** Finds everything that is wrong with each of these definitions as things are today. What they name in conditions and triggers is looked for once. */
export const faultFinder = Effect.fnUntraced(function* (definitions: ReadonlyArray<AutomationDefinition>) {
  const surroundings = yield* conditionSurroundings(definitions.map((definition) => definition.if))
  const known = yield* knownThings(definitions.flatMap(({ when }) => namedInTrigger(when)))
  return Effect.fnUntraced(function* ({ if: condition, then, when }: AutomationDefinition) {
    const groups = groupsAfter(when)
    const read = conditionReader(surroundings, groups)(condition, "/if")
    const actions = yield* Effect.forEach(then, (action, index) => faultsOfAction(action, groups, `/then/${index}`))
    const found: DefinitionFaults = {
      faults: [...read.faults, ...actions.flat()],
      missing: [...absentIn(namedInTrigger(when), known), ...read.missing]
    }
    return found
  })
})
