import { Effect, Metric } from "effect"
import { afterCommit } from "../../../kernel/index.ts"
import { type AutomationRun, isRunOver } from "./AutomationRun.ts"

const ends = Metric.counter("parley_automation_runs_total", {
  description: "What became of runs of automations",
  incremental: true
})

/** Counts ended runs after the commit. */
export const countCancelled = (count: number) =>
  count === 0 ? Effect.void : afterCommit(Metric.update(Metric.withAttributes(ends, { state: "cut" }), count))

/** Counts how runs ended, once that is committed. */
export const countEnds = (runs: ReadonlyArray<AutomationRun>) =>
  Effect.forEach(
    runs.filter(({ state }) => isRunOver(state)),
    ({ state }) => afterCommit(Metric.update(Metric.withAttributes(ends, { state }), 1)),
    { discard: true }
  )
