import { Effect } from "effect"
import type { WorkflowId } from "../../automations/index.ts"
import { Workflows } from "../Workflows.ts"
import { workflowsHeldBecause } from "./held.ts"
import {
  isWorkflowRunOver,
  LiveRunState,
  type RunHold,
  WorkflowRun,
  type WorkflowRunState,
  type WorkflowStep
} from "./WorkflowRun.ts"

/** What keeps all live runs of a workflow from going on now; `null` where nothing does. */
export const holdOf = Effect.fnUntraced(function* (workflowId: WorkflowId) {
  const of = (hold: RunHold | null) => hold
  const { status } = yield* (yield* Workflows).get(workflowId)
  return of((yield* workflowsHeldBecause) ?? (status === "paused" ? "paused" : null))
})

/** A run as it is shown while this keeps all of them from going on: their clocks go on, so that nothing is written of it. */
export const shownWorkflowRun = (run: WorkflowRun, hold: RunHold | null): WorkflowRun =>
  hold === null || isWorkflowRunOver(run) ? run : new WorkflowRun({ ...run, state: "held", reason: hold })

/** The states that runs are kept in which are shown in this one. */
export const statesShownAs = (
  state: WorkflowRunState | null,
  hold: RunHold | null
): ReadonlyArray<WorkflowRunState> | null => {
  if (state === null) return null
  if (hold === null || !LiveRunState.literals.some((live) => live === state)) return [state]
  return state === "held" ? LiveRunState.literals : []
}

/** Steps that wait at the end of their run are skipped. */
export const shownSteps = (run: WorkflowRun, steps: ReadonlyArray<WorkflowStep>): ReadonlyArray<WorkflowStep> =>
  isWorkflowRunOver(run)
    ? steps.map((step) =>
        step.state === "waiting" || step.state === "calling" ? { ...step, state: "skipped" as const } : step
      )
    : steps
