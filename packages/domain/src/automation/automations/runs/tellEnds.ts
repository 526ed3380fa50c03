import { Effect } from "effect"
import { appendEvent } from "../appendEvent.ts"
import { type AutomationRun, isCutReason } from "./AutomationRun.ts"
import { countEnds } from "./countEnds.ts"

/** Tells of runs that have failed or were cut, in the unit of work of that. */
export const tellEnds = Effect.fnUntraced(function* (runs: ReadonlyArray<AutomationRun>) {
  for (const { automationId, id: runId, reason, state } of runs) {
    if (state === "failed") yield* appendEvent({ type: "automation.run_failed", automationId, runId })
    if (state === "cut" && isCutReason(reason)) {
      yield* appendEvent({ type: "automation.run_cut", automationId, runId, reason })
    }
  }
  yield* countEnds(runs)
})
