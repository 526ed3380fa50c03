import { Effect } from "effect"
import { NotFound, unchecked } from "../../kernel/index.ts"
import { type Automation, AutomationView, definitionOf } from "./Automation.ts"
import { type DefinitionFaults, faultFinder } from "./checks/faultFinder.ts"

/** What is wrong with so many is found side by side. */
const atOnce = 10

const view = unchecked(AutomationView)

const shown = (automation: Automation, { faults, missing }: DefinitionFaults) => {
  const { enabledAfter: _, ...told } = automation
  const gone = missing.map(({ pointer, resource }) => ({ pointer, message: new NotFound({ resource }).message }))
  return view({ ...told, faults: [...faults, ...gone] })
}

const viewsOf = Effect.fnUntraced(function* (automations: ReadonlyArray<Automation>) {
  const faultsOf = yield* faultFinder(automations.map(definitionOf))
  return (automation: Automation) => Effect.map(faultsOf(definitionOf(automation)), (found) => shown(automation, found))
})

/** Automations as they are shown, with what they name that is gone. */
export const shownAutomations = Effect.fnUntraced(function* (automations: ReadonlyArray<Automation>) {
  return yield* Effect.forEach(automations, yield* viewsOf(automations), { concurrency: atOnce })
})

/** An automation as it is shown, with what it names that is gone. */
export const shownAutomation = Effect.fnUntraced(function* (automation: Automation) {
  return yield* (yield* viewsOf([automation]))(automation)
})
