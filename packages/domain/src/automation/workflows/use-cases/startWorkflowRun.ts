import { Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import type { WorkflowId } from "../../automations/index.ts"
import { Ids, transact, useCase } from "../../../kernel/index.ts"
import { explainRun } from "../runs/explainRun.ts"
import { requireReachOfGraph } from "../needs.ts"
import { callWorkflow, enterable } from "../runs/starting/callWorkflow.ts"
import type { NewRunOfWorkflow } from "../runs/starting/NewRunOfWorkflow.ts"
import { WorkflowRuns } from "../runs/WorkflowRuns.ts"

/** Has a contact enter a workflow. */
export const startWorkflowRun = useCase(
  "workflows.start_run",
  { access: { permission: "workflows.manage" }, gatedBy: "workflows", actsThrough: "workflow" },
  Effect.fnUntraced(function* (id: WorkflowId, { contactId, input = {} }: NewRunOfWorkflow) {
    const workflow = yield* enterable(id)
    yield* requireReachOfGraph(workflow.graph)
    const runId = yield* callWorkflow(workflow, { contactId, input, name: yield* (yield* Ids).next })
    yield* record("workflow.run_started", { kind: "workflow_run", id: runId }, { after: { workflowId: id, contactId } })
    const run = yield* Effect.orDie((yield* WorkflowRuns).get(id, runId))
    return yield* explainRun(run)
  }, transact)
)
