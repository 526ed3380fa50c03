import { DateTime, Effect, type Schema } from "effect"
import { record } from "../../platform/audit/index.ts"
import { Locks, requireVersion } from "../../kernel/index.ts"
import type { WorkflowId } from "../automations/index.ts"
import { appendEvent } from "./appendEvent.ts"
import { auditedWorkflow } from "./auditedWorkflow.ts"
import type { WorkflowEvent } from "./Events.ts"
import { workflowStatusAfter, type WorkflowTransition } from "./transitions.ts"
import { Workflow } from "./Workflow.ts"
import { Workflows } from "./Workflows.ts"

/** Takes a workflow to another status, with its event and its audit entry, in which `said` is kept as well. */
export const moveWorkflow = Effect.fnUntraced(function* (
  id: WorkflowId,
  expectedVersion: number | null,
  transition: WorkflowTransition,
  event: WorkflowEvent,
  said: Readonly<Record<string, Schema.Json>> = {}
) {
  const workflows = yield* Workflows
  yield* (yield* Locks).exclusive("workflows")
  const before = yield* workflows.get(id)
  yield* requireVersion(before, expectedVersion)
  const status = yield* workflowStatusAfter(before.status, transition)
  const after = yield* workflows.save(
    new Workflow({ ...before, status, updatedAt: yield* DateTime.now }),
    expectedVersion
  )
  yield* record(
    event.type,
    { kind: "workflow", id },
    { before: auditedWorkflow(before), after: { ...auditedWorkflow(after), ...said } }
  )
  yield* appendEvent(event)
  return after
})
