import { Effect } from "effect"
import { type Fault, NotFound, ValidationFailed } from "../../../kernel/index.ts"
import { checkActions } from "../actions/checks/checkActions.ts"
import type { AutomationDefinition } from "../Automation.ts"
import { readCondition } from "../conditions/readCondition.ts"
import { groupsAfter, missingInTrigger } from "./faultFinder.ts"

/** What an automation lacks to run. */
const incomplete = ({ then, when }: AutomationDefinition, at: string): ReadonlyArray<Fault> => [
  ...(when === null ? [{ pointer: `${at}/when`, message: "Expected the event on which it runs" }] : []),
  ...(then.length === 0 ? [{ pointer: `${at}/then`, message: "Expected 1 to 20 actions" }] : [])
]

/** Rejects a definition with all its problems. An active definition must be complete. `at` is its pointer. */
export const checkDefinition = Effect.fnUntraced(function* (
  definition: AutomationDefinition,
  isToRun: boolean,
  at = ""
) {
  const { if: condition, then, when } = definition
  const groups = groupsAfter(when)
  const actions = yield* checkActions(then, groups, `${at}/then`)
  const read = yield* readCondition(condition, groups, `${at}/if`)
  const missing = [...(yield* missingInTrigger(when, `${at}/when`)), ...read.missing]
  const errors = [...(isToRun ? incomplete(definition, at) : []), ...read.faults, ...actions]
  if (errors.length > 0) {
    const gone = missing.map(({ pointer, resource }) => ({ pointer, message: new NotFound({ resource }).message }))
    return yield* new ValidationFailed({ errors: [...errors, ...gone] })
  }
  const [first] = missing
  if (first !== undefined) return yield* new NotFound(first)
})
