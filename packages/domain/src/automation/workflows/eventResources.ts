import { WorkflowId } from "../automations/index.ts"
import { type EventShape, eventResource, idIn } from "../../kernel/index.ts"
import { ExplainedWorkflowRun, WorkflowRunId } from "./runs/WorkflowRun.ts"
import { getWorkflow } from "./use-cases/getWorkflow.ts"
import { getWorkflowRun } from "./use-cases/getWorkflowRun.ts"
import { Workflow } from "./Workflow.ts"

const workflows = (event: EventShape): [WorkflowId] | null => {
  const id = idIn(event, "workflowId", WorkflowId)
  return id === null ? null : [id]
}

const runs = (event: EventShape): [WorkflowId, WorkflowRunId] | null => {
  const [id, runId] = [idIn(event, "workflowId", WorkflowId), idIn(event, "runId", WorkflowRunId)]
  return id === null || runId === null ? null : [id, runId]
}

/** What the events of this area are about, as GET answers it. */
export const workflowResources = [
  eventResource("workflow", getWorkflow, Workflow, workflows),
  eventResource(
    ["workflow.run_started", "workflow.run_ended", "workflow.goal_reached"],
    getWorkflowRun,
    ExplainedWorkflowRun,
    runs
  )
] as const
