import { Effect } from "effect"
import { missingIdsAreInvalid, transact, useCase } from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import { startJob } from "../../../platform/jobs/index.ts"
import { resolveRunFilter, type RunCount, toAuditSelection, type WorkflowId } from "../../automations/index.ts"
import { cancelWorkflowRunsJob, type WorkflowRunsToCancel } from "../cancelRunsJob.ts"
import { LiveRunState } from "../runs/WorkflowRun.ts"
import { WorkflowRuns, type WorkflowRunSelection } from "../runs/WorkflowRuns.ts"
import { loadWorkflowHold, storedStatesFor } from "../runs/runHolds.ts"

/** Cancels the live runs of a workflow that match a filter, with a background job. A preview only counts them. */
export const cancelWorkflowRuns = useCase(
  {
    name: "workflows.cancel_runs",
    access: { permission: "workflows.manage" },
    feature: "workflows",
    actsThrough: "nothing",
    audit: "workflow.runs_cancelled",
    emits: ["job.started"]
  },
  Effect.fnUntraced(function* ({
    id: workflowId,
    filter: { state, ...filter },
    preview = false
  }: { readonly id: WorkflowId } & WorkflowRunsToCancel) {
    const hold = yield* loadWorkflowHold(workflowId)
    const states = storedStatesFor(state ?? null, hold) ?? LiveRunState.literals
    const selected = yield* missingIdsAreInvalid(resolveRunFilter(filter))
    const selection: WorkflowRunSelection = { states, ...selected }
    const count = yield* (yield* WorkflowRuns).countSelected(workflowId, selection)
    const counted: RunCount = { count }
    if (preview) return counted
    const job = yield* startJob(cancelWorkflowRunsJob, { workflowId, selection, total: count }, { total: count })
    yield* recordAudit(
      "workflow.runs_cancelled",
      { kind: "workflow", id: workflowId },
      { after: { jobId: job.id, count, states, ...toAuditSelection(selected) } }
    )
    return job
  }, transact)
)
