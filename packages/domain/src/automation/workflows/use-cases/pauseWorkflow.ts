import { Effect } from "effect"
import type { WorkflowId } from "../../automations/index.ts"
import { transact, useCase } from "../../../kernel/index.ts"
import { moveWorkflow } from "../moveWorkflow.ts"

/** Has nothing of a workflow go on: live runs are held, and none begins. */
export const pauseWorkflow = useCase(
  "workflows.pause",
  { access: { permission: "workflows.manage" }, gatedBy: "workflows", actsThrough: "nothing" },
  Effect.fnUntraced(function* (id: WorkflowId, expectedVersion: number | null) {
    return yield* moveWorkflow(id, expectedVersion, "pause", { type: "workflow.paused", workflowId: id })
  }, transact)
)
