import { Effect, type Schema } from "effect"
import type { AutomationAction } from "../actions/Action.ts"
import type { ActionFacts } from "../actions/ActionResult.ts"
import { AutomationRun, type RunAction } from "./AutomationRun.ts"
import { loadCallOutputs } from "./callOutputs.ts"

/** Result of an earlier action, as texts read it in `steps.<id>`. */
export type StepVariables = Pick<RunAction, "effect" | "error" | "state"> & { readonly output: Schema.Json }

/** Whether an action has texts with results of earlier actions. */
export const usesSteps = (action: AutomationAction): boolean => JSON.stringify(action).includes("steps")

/** Adds the results of earlier actions with an id to the template variables. */
export const withSteps = <F extends ActionFacts>(facts: F, steps: Readonly<Record<string, StepVariables>>): F => ({
  ...facts,
  texts: { ...facts.texts, steps }
})

/** Adds the results of the earlier actions of a run to the template variables of an action. */
export const loadStepFacts = Effect.fnUntraced(function* <F extends ActionFacts>(
  facts: F,
  { actions }: AutomationRun,
  then: ReadonlyArray<AutomationAction>,
  index: number
) {
  const action = then[index]
  if (action === undefined || !usesSteps(action)) return facts
  const named = actions.flatMap((result) => {
    const id = result.index < index ? then[result.index]?.id : undefined
    return id === undefined ? [] : [{ id, result }]
  })
  const outputs = yield* loadCallOutputs(named.map(({ result }) => result.effect))
  const steps = named.map(({ id, result: { effect, error, state } }): [string, StepVariables] => [
    id,
    { state, effect, error, output: effect === null ? null : (outputs.get(effect.id) ?? null) }
  ])
  return withSteps(facts, Object.fromEntries(steps))
})

/** Adds the answers of calls to the actions of a run. */
export const withCallOutputs = Effect.fnUntraced(function* (run: AutomationRun) {
  const outputs = yield* loadCallOutputs(run.actions.map(({ effect }) => effect))
  if (outputs.size === 0) return run
  const actions = run.actions.map((action) => {
    const output = action.effect === null ? undefined : outputs.get(action.effect.id)
    return output === undefined ? action : { ...action, output }
  })
  return new AutomationRun({ ...run, actions })
})
