import { DateTime, Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { admitting } from "../../../platform/entitlements/index.ts"
import { nextId, transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { auditedWorkflow } from "../auditedWorkflow.ts"
import { emptyGraph } from "../graph/Graph.ts"
import { WorkflowId } from "../../automations/index.ts"
import { requireReachOfGraph } from "../needs.ts"
import { type NewWorkflow, Workflow } from "../Workflow.ts"
import { Workflows } from "../Workflows.ts"

/** Drafts a workflow. */
export const createWorkflow = useCase(
  "workflows.create",
  { access: { permission: "workflows.manage" }, gatedBy: "workflows", actsThrough: "workflow" },
  Effect.fnUntraced(function* ({ graph = emptyGraph, name }: NewWorkflow) {
    yield* requireReachOfGraph(graph)
    const now = yield* DateTime.now
    const workflow = new Workflow({
      id: yield* nextId(WorkflowId),
      name,
      status: "draft",
      publishedVersion: null,
      graph,
      createdAt: now,
      updatedAt: now,
      version: 1
    })
    yield* (yield* Workflows).insert(workflow).pipe(admitting("workflows"))
    yield* record("workflow.created", { kind: "workflow", id: workflow.id }, { after: auditedWorkflow(workflow) })
    yield* appendEvent({ type: "workflow.created", workflowId: workflow.id })
    return workflow
  }, transact)
)
