import { Effect } from "effect"
import { AutomationRun, isRunOver } from "./AutomationRun.ts"
import { heldBecause } from "./held.ts"

/** Adds the wait reason to each live run. */
export const shownRuns = Effect.fnUntraced(function* (runs: ReadonlyArray<AutomationRun>) {
  const reason = runs.every(({ state }) => isRunOver(state)) ? null : yield* heldBecause
  return runs.map((run) => (isRunOver(run.state) || reason === null ? run : new AutomationRun({ ...run, reason })))
})
