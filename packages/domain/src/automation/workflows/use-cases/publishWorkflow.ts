import { DateTime, Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import type { WorkflowId } from "../../automations/index.ts"
import { EventLog } from "../../../platform/events/index.ts"
import { Locks, requireVersion, transact, useCase, ValidationFailed } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { auditedWorkflow } from "../auditedWorkflow.ts"
import { faultsOfWorkflow } from "../checks/faultsOfWorkflow.ts"
import { requireReachOfGraph } from "../needs.ts"
import { workflowStatusAfter } from "../transitions.ts"
import { Workflow, WorkflowVersion } from "../Workflow.ts"
import { Workflows } from "../Workflows.ts"

/** Those who own what a version names ask whether anything uses it before it goes: neither misses the other. */
const locks = ["plugins", "schedules", "webhook_subscriptions", "workflows"] as const

/** Makes the draft of a workflow its next version, of which new runs are. Those that are live keep to theirs. */
export const publishWorkflow = useCase(
  "workflows.publish",
  { access: { permission: "workflows.manage" }, gatedBy: "workflows", actsThrough: "workflow" },
  Effect.fnUntraced(function* (id: WorkflowId, expectedVersion: number | null) {
    const workflows = yield* Workflows
    const { exclusive } = yield* Locks
    yield* Effect.forEach(locks, exclusive, { discard: true })
    const before = yield* workflows.get(id)
    yield* requireVersion(before, expectedVersion)
    const { graph, publishedVersion, status } = before
    const stays = status === "active" || status === "paused"
    const next = stays ? status : yield* workflowStatusAfter(status, "activate")
    yield* requireReachOfGraph(graph)
    const errors = yield* faultsOfWorkflow(graph)
    if (errors.length > 0) return yield* new ValidationFailed({ errors })
    const now = yield* DateTime.now
    const number = (publishedVersion ?? 0) + 1
    yield* workflows.publish(id, new WorkflowVersion({ number, graph, publishedAt: now }))
    if (!stays) yield* workflows.beginAfter(id, yield* (yield* EventLog).head())
    const after = yield* workflows.save(
      new Workflow({ ...before, status: next, publishedVersion: number, updatedAt: now }),
      expectedVersion
    )
    yield* record(
      "workflow.published",
      { kind: "workflow", id },
      { before: auditedWorkflow(before), after: auditedWorkflow(after) }
    )
    yield* appendEvent({ type: "workflow.published", workflowId: id, publishedVersion: number })
    return after
  }, transact)
)
