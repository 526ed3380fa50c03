import { Effect } from "effect"
import { record } from "../../../platform/audit/index.ts"
import { Locks, requireVersion, transact, useCase } from "../../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import { auditedWorkflow } from "../auditedWorkflow.ts"
import { WorkflowInUse } from "../Errors.ts"
import type { WorkflowId } from "../../automations/index.ts"
import { WorkflowRuns } from "../runs/WorkflowRuns.ts"
import { Workflows } from "../Workflows.ts"

/** Deletes a draft, or an archived workflow, with its versions. */
export const deleteWorkflow = useCase(
  "workflows.delete",
  { access: { permission: "workflows.manage" }, gatedBy: "workflows", ungatedFor: "operators", actsThrough: "nothing" },
  Effect.fnUntraced(function* (id: WorkflowId, expectedVersion: number | null) {
    const workflows = yield* Workflows
    yield* (yield* Locks).exclusive("workflows")
    const before = yield* workflows.get(id)
    yield* requireVersion(before, expectedVersion)
    if (before.status !== "draft" && before.status !== "archived") return yield* new WorkflowInUse({ liveRuns: 0 })
    const liveRuns = yield* (yield* WorkflowRuns).countLive(id)
    if (liveRuns > 0) return yield* new WorkflowInUse({ liveRuns })
    yield* workflows.remove(id, expectedVersion)
    yield* record("workflow.deleted", { kind: "workflow", id }, { before: auditedWorkflow(before) })
    yield* appendEvent({ type: "workflow.deleted", workflowId: id })
  }, transact)
)
