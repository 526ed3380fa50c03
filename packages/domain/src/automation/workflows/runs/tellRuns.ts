import { Effect } from "effect"
import { appendEvent } from "../appendEvent.ts"
import type { NodeId } from "../graph/NodeId.ts"
import type { EndedRunState, WorkflowRun } from "./WorkflowRun.ts"

const isEnded = (state: WorkflowRun["state"]): state is EndedRunState =>
  state === "completed" || state === "exited" || state === "failed" || state === "cancelled"

/** Tells of runs that are over, in the unit of work of that. */
export const tellEnded = Effect.fnUntraced(function* (runs: ReadonlyArray<WorkflowRun>) {
  for (const { contactId, id: runId, reason, state, workflowId } of runs) {
    if (isEnded(state)) yield* appendEvent({ type: "workflow.run_ended", workflowId, runId, contactId, state, reason })
  }
})

/** Tells of a run that has begun, in the unit of work of that. */
export const tellStarted = ({ contactId, id: runId, workflowId, workflowVersion }: WorkflowRun) =>
  appendEvent({ type: "workflow.run_started", workflowId, runId, contactId, workflowVersion })

/** Tells of goals that a run has reached, in the unit of work of that. */
export const tellGoals = Effect.fnUntraced(function* (
  { contactId, id: runId, workflowId }: WorkflowRun,
  goals: ReadonlyArray<NodeId>
) {
  for (const goalId of goals)
    yield* appendEvent({ type: "workflow.goal_reached", workflowId, runId, contactId, goalId })
})
