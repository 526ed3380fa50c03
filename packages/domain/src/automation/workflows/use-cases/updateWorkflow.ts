import { DateTime, Effect, Equal } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { Locks, requireVersion, transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { auditedWorkflow } from "../auditedWorkflow.ts"
import type { WorkflowId } from "../../automations/index.ts"
import { requireReachOfGraph } from "../needs.ts"
import { Workflow, type WorkflowPatch } from "../Workflow.ts"
import { Workflows } from "../Workflows.ts"

/** Changes the name of a workflow, or its draft. Does not change the published version. */
export const updateWorkflow = useCase(
  "workflows.update",
  { access: { permission: "workflows.manage" }, gatedBy: "workflows", actsThrough: "workflow" },
  Effect.fnUntraced(function* (id: WorkflowId, patch: WorkflowPatch, expectedVersion: number | null) {
    const workflows = yield* Workflows
    yield* (yield* Locks).exclusive("workflows")
    const before = yield* workflows.get(id)
    yield* requireVersion(before, expectedVersion)
    const { graph = before.graph, name = before.name } = patch
    const isRedefined = !Equal.equals(graph, before.graph)
    // A change of name does not affect the required permissions.
    if (isRedefined) yield* requireReachOfGraph(graph)
    if (name === before.name && !isRedefined) return before
    const after = yield* workflows.save(
      new Workflow({ ...before, name, graph, updatedAt: yield* DateTime.now }),
      expectedVersion
    )
    yield* record(
      "workflow.updated",
      { kind: "workflow", id },
      { before: auditedWorkflow(before), after: auditedWorkflow(after) }
    )
    yield* appendEvent({ type: "workflow.updated", workflowId: id })
    return after
  }, transact)
)
