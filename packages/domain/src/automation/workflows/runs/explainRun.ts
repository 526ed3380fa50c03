import { Effect } from "effect"
import { holdOf, shownSteps, shownWorkflowRun } from "./shownRuns.ts"
import { ExplainedWorkflowRun, type WorkflowRun } from "./WorkflowRun.ts"
import { WorkflowRuns } from "./WorkflowRuns.ts"

/** A run with all of its steps. */
export const explainRun = Effect.fnUntraced(function* (run: WorkflowRun) {
  const shown = shownWorkflowRun(run, yield* holdOf(run.workflowId))
  const steps = shownSteps(run, yield* (yield* WorkflowRuns).steps(run.id))
  return new ExplainedWorkflowRun({ ...shown, steps })
})
