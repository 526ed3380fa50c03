import { DateTime, Effect } from "effect"
import type { WorkflowId } from "../../automations/index.ts"
import { paged, type PageRequest, useCase } from "../../../kernel/index.ts"
import { holdOf, shownWorkflowRun, statesShownAs } from "../runs/shownRuns.ts"
import type { WorkflowRunState } from "../runs/WorkflowRun.ts"
import { WorkflowRuns } from "../runs/WorkflowRuns.ts"

/** Reads who is on the way through a workflow, or was, the latest first. Reads stay open on every plan. */
export const listWorkflowRuns = useCase(
  "workflows.list_runs",
  { access: { permission: "workflows.read" } },
  Effect.fnUntraced(function* (id: WorkflowId, state: WorkflowRunState | null, page: PageRequest) {
    const hold = yield* holdOf(id)
    const runs = yield* WorkflowRuns
    const filter = { states: statesShownAs(state, hold) }
    const { data, nextCursor } = yield* paged(
      `workflow_runs_by_start/${id}`,
      page,
      (slice) => runs.list(id, filter, slice),
      ({ progress: { from }, run: { id: runId, startedAt } }) => [DateTime.formatIso(startedAt), String(from), runId]
    )
    return { data: data.map(({ run }) => shownWorkflowRun(run, hold)), nextCursor }
  })
)
