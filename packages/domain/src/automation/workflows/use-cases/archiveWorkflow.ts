import { Effect } from "effect"
import type { WorkflowId } from "../../automations/index.ts"
import { Locks, requireReach, transact, useCase } from "../../../kernel/index.ts"
import { moveWorkflow } from "../moveWorkflow.ts"
import { requireReachOfWorkflow } from "../needs.ts"
import type { WorkflowArchiving } from "../Workflow.ts"
import { Workflows } from "../Workflows.ts"

/** Archives a workflow for good: nobody begins it any more. Those who are on their way finish, or leave. */
export const archiveWorkflow = useCase(
  "workflows.archive",
  {
    access: { permission: "workflows.manage" },
    gatedBy: "workflows",
    ungatedFor: "operators",
    actsThrough: "workflow"
  },
  Effect.fnUntraced(function* (id: WorkflowId, { runs = "finish" }: WorkflowArchiving, expectedVersion: number | null) {
    yield* (yield* Locks).exclusive("workflows")
    const { status } = yield* (yield* Workflows).get(id)
    // The live runs of a paused workflow continue after it is archived.
    const isResumed = status === "paused" && runs === "finish"
    yield* isResumed ? requireReachOfWorkflow(id) : requireReach([])
    const event = { type: "workflow.archived", workflowId: id, runs } as const
    return yield* moveWorkflow(id, expectedVersion, "archive", event, { runs })
  }, transact)
)
