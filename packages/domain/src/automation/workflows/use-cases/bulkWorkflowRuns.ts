import { Effect } from "effect"
import { missingIdsAreInvalid, transact, useCase } from "../../../kernel/index.ts"
import { recordAudit } from "../../../platform/audit/index.ts"
import { startJob } from "../../../platform/jobs/index.ts"
import {
  resolveRunFilter,
  type RunCount,
  type RunFilter,
  toAuditSelection,
  type WorkflowId
} from "../../automations/index.ts"
import { cancelWorkflowRunsJob, type WorkflowRunsToCancel } from "../cancelRunsJob.ts"
import { rerunWorkflowRunsJob, type WorkflowRunsToRerun } from "../rerunRunsJob.ts"
import { LiveRunState } from "../runs/WorkflowRun.ts"
import { WorkflowRuns, type WorkflowRunSelection } from "../runs/WorkflowRuns.ts"
import { loadWorkflowHold, storedStatesFor } from "../runs/runHolds.ts"
import { loadActiveVersion } from "../starting/workflowCalls.ts"
import { requireReachOfGraph } from "../workflowPermissions.ts"

/** Resolves a filter and counts its runs. */
const selectRuns = Effect.fnUntraced(function* (
  workflowId: WorkflowId,
  filter: RunFilter,
  kind: Pick<WorkflowRunSelection, "rerun" | "states">
) {
  const selection: WorkflowRunSelection = { ...kind, ...(yield* missingIdsAreInvalid(resolveRunFilter(filter))) }
  const count = yield* (yield* WorkflowRuns).countSelected(workflowId, selection)
  const counted: RunCount = { count }
  return { selection, counted, total: count }
})

/** Cancels the live runs of a workflow that match a filter, with a background job. A preview only counts them. */
export const cancelWorkflowRuns = useCase(
  {
    name: "workflows.cancelRuns",
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
    const { counted, selection, total } = yield* selectRuns(workflowId, filter, { states, rerun: "included" })
    if (preview) return counted
    const job = yield* startJob(cancelWorkflowRunsJob, { workflowId, selection, total }, { total })
    yield* recordAudit(
      "workflow.runs_cancelled",
      { kind: "workflow", id: workflowId },
      { after: { jobId: job.id, count: total, ...toAuditSelection(selection) } }
    )
    return job
  }, transact)
)

/** Repeats the ended runs of a workflow that match a filter, with a background job. A preview only counts them. */
export const rerunWorkflowRuns = useCase(
  {
    name: "workflows.rerunRuns",
    access: { permission: "workflows.manage" },
    feature: "workflows",
    actsThrough: "workflow",
    audit: "workflow.runs_rerun",
    emits: ["job.started"]
  },
  Effect.fnUntraced(function* ({
    id: workflowId,
    filter: { state = "failed", ...filter },
    preview = false
  }: { readonly id: WorkflowId } & WorkflowRunsToRerun) {
    const { graph } = yield* loadActiveVersion(workflowId)
    yield* requireReachOfGraph(graph)
    const kind = { states: [state], rerun: "excluded" } as const
    const { counted, selection, total } = yield* selectRuns(workflowId, filter, kind)
    if (preview) return counted
    const job = yield* startJob(rerunWorkflowRunsJob, { workflowId, selection, total }, { total })
    yield* recordAudit(
      "workflow.runs_rerun",
      { kind: "workflow", id: workflowId },
      { after: { jobId: job.id, count: total, ...toAuditSelection(selection) } }
    )
    return job
  }, transact)
)
