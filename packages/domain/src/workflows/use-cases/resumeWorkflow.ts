import { Effect } from "effect"
import type { WorkflowId } from "../../automation/index.ts"
import { transact, useCase } from "../../kernel/index.ts"
import { moveWorkflow } from "../moveWorkflow.ts"

/** Lets a paused workflow go on, with the runs that were held. */
export const resumeWorkflow = useCase(
  "workflows.resume",
  { access: { permission: "workflows.manage" }, gatedBy: "workflows" },
  Effect.fnUntraced(function* (id: WorkflowId, expectedVersion: number | null) {
    return yield* moveWorkflow(id, expectedVersion, "resume", { type: "workflow.resumed", workflowId: id })
  }, transact)
)
