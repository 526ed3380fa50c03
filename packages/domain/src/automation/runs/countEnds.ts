import { Effect, Metric } from "effect"
import { afterCommit } from "../../kernel/index.ts"
import { type AutomationRun, isRunOver } from "./AutomationRun.ts"

const ends = Metric.counter("parley_automation_runs_total", {
  description: "What became of runs of automations",
  incremental: true
})

/** Counts how runs ended, once that is committed. */
export const countEnds = (runs: ReadonlyArray<AutomationRun>) =>
  Effect.forEach(
    runs.filter(({ state }) => isRunOver(state)),
    ({ state }) => afterCommit(Metric.update(Metric.withAttributes(ends, { state }), 1)),
    { discard: true }
  )
