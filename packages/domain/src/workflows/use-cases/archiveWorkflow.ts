import { Effect } from "effect"
import type { WorkflowId } from "../../automation/index.ts"
import { transact, useCase } from "../../kernel/index.ts"
import { moveWorkflow } from "../moveWorkflow.ts"
import type { WorkflowArchiving } from "../Workflow.ts"

/** Archives a workflow for good: nobody begins it any more. Those who are on their way finish, or leave. */
export const archiveWorkflow = useCase(
  "workflows.archive",
  { access: { permission: "workflows.manage" }, gatedBy: "workflows", ungatedFor: "operators" },
  Effect.fnUntraced(function* (id: WorkflowId, { runs = "finish" }: WorkflowArchiving, expectedVersion: number | null) {
    const event = { type: "workflow.archived", workflowId: id, runs } as const
    return yield* moveWorkflow(id, expectedVersion, "archive", event, { runs })
  }, transact)
)
