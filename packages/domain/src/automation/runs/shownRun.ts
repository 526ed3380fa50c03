import { Effect } from "effect"
import { AutomationRun, isRunOver } from "./AutomationRun.ts"
import { heldBecause } from "./held.ts"

/** Adds to each live run why it does not continue now. */
export const shownRuns = Effect.fnUntraced(function* (runs: ReadonlyArray<AutomationRun>) {
  const reason = runs.every(({ state }) => isRunOver(state)) ? null : yield* heldBecause
  return runs.map((run) => (isRunOver(run.state) || reason === null ? run : new AutomationRun({ ...run, reason })))
})
