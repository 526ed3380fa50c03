import { DateTime, Effect, Schema } from "effect"
import { defineJob, JobFailed } from "../../platform/jobs/index.ts"
import { runFilterFields, RunPreview, WorkflowId } from "../automations/index.ts"
import { Workflows } from "./Workflow.ts"
import { LiveRunState } from "./runs/WorkflowRun.ts"
import { WorkflowRuns, WorkflowRunSelection } from "./runs/WorkflowRuns.ts"
import { applyToRun } from "./runs/savedRuns.ts"

/** Runs to cancel. */
export const WorkflowRunsToCancel = Schema.Struct({
  filter: Schema.Struct({
    state: Schema.optionalKey(LiveRunState).annotateKey({
      description: "Only runs in this state. Default: `running`, `waiting` and `held`."
    }),
    ...runFilterFields
  }).annotateKey({ description: "Filter of runs; `{}` matches all live runs." }),
  preview: RunPreview
}).annotate({ identifier: "WorkflowRunsToCancel" })
export type WorkflowRunsToCancel = typeof WorkflowRunsToCancel.Type

/** Number of runs per step. */
const batchSize = 100

/** Cancels the selected runs of a workflow that have not ended. */
export const cancelWorkflowRunsJob = defineJob({
  name: "workflows.cancel_runs",
  needs: ["workflows.manage"],
  input: Schema.Struct({ workflowId: WorkflowId, selection: WorkflowRunSelection, total: Schema.Int }),
  checkpoint: Schema.Struct({ after: Schema.NullOr(Schema.Array(Schema.String)), cancelled: Schema.Int }),
  step: Effect.fnUntraced(function* ({ selection, total, workflowId }, checkpoint) {
    const { after, cancelled: before } = checkpoint ?? { after: null, cancelled: 0 }
    yield* Effect.mapError(
      (yield* Workflows).get(workflowId),
      () => new JobFailed({ reason: "The workflow was deleted." })
    )
    const live = yield* (yield* WorkflowRuns).lockSelected(workflowId, selection, { after, limit: batchSize })
    const now = yield* DateTime.now
    // The runs are locked until this unit of work ends, so no conflict is possible.
    for (const kept of live) yield* Effect.orDie(applyToRun(kept, { _tag: "Cancelled", now }))
    const last = live.at(-1)?.run
    const cancelled = before + live.length
    const done = live.length < batchSize
    const skipped = done ? Math.max(0, total - cancelled) : 0
    return {
      checkpoint: { after: last === undefined ? after : [DateTime.formatIso(last.startedAt), last.id], cancelled },
      done,
      progress: { done: cancelled + skipped, total },
      counts: { cancelled, skipped }
    }
  })
})
