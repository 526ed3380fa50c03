import { Effect } from "effect"
import { NotFound } from "../kernel/index.ts"
import { type Automation, AutomationView, definitionOf } from "./Automation.ts"
import { faultsOfDefinition } from "./checks/faultsOfDefinition.ts"

/** An automation as it is shown, with what it names that is gone. */
export const shownAutomation = Effect.fnUntraced(function* (automation: Automation) {
  const { faults, missing } = yield* faultsOfDefinition(definitionOf(automation))
  const gone = missing.map(({ pointer, resource }) => ({ pointer, message: new NotFound({ resource }).message }))
  return new AutomationView({ ...automation, faults: [...faults, ...gone] })
})
