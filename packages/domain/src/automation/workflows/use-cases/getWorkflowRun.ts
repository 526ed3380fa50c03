import { Effect } from "effect"
import type { WorkflowId } from "../../automations/index.ts"
import { useCase } from "../../../kernel/index.ts"
import { explainRun } from "../runs/explainRun.ts"
import type { WorkflowRunId } from "../runs/WorkflowRun.ts"
import { WorkflowRuns } from "../runs/WorkflowRuns.ts"

/** Reads where a contact is on its way through a workflow, and why. Reads stay open on every plan. */
export const getWorkflowRun = useCase(
  "workflows.get_run",
  { access: { permission: "workflows.read" } },
  Effect.fnUntraced(function* (id: WorkflowId, runId: WorkflowRunId) {
    return yield* explainRun(yield* (yield* WorkflowRuns).get(id, runId))
  })
)
