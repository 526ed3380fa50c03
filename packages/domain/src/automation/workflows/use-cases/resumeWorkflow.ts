import { Effect } from "effect"
import type { WorkflowId } from "../../automations/index.ts"
import { EventLog } from "../../../platform/events/index.ts"
import { Locks, transact, useCase } from "../../../kernel/index.ts"
import { moveWorkflow } from "../moveWorkflow.ts"
import { requireReachOfWorkflow } from "../needs.ts"
import { Workflows } from "../Workflows.ts"

/** Lets a paused workflow go on, with the runs that were held. What happened meanwhile begins none. */
export const resumeWorkflow = useCase(
  "workflows.resume",
  { access: { permission: "workflows.manage" }, gatedBy: "workflows", actsThrough: "workflow" },
  Effect.fnUntraced(function* (id: WorkflowId, expectedVersion: number | null) {
    yield* (yield* Locks).exclusive("workflows")
    yield* requireReachOfWorkflow(id)
    const after = yield* moveWorkflow(id, expectedVersion, "resume", { type: "workflow.resumed", workflowId: id })
    yield* (yield* Workflows).beginAfter(id, yield* (yield* EventLog).head())
    return after
  }, transact)
)
