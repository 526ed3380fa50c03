import { Page } from "@parley/domain/kernel"
import { Job } from "@parley/domain/platform"
import {
  ExplainedWorkflowRun,
  RunCount,
  WorkflowRunContinuation,
  WorkflowRunInput,
  WorkflowEnrollment,
  WorkflowId,
  WorkflowRun,
  WorkflowRunId,
  WorkflowRunsMove,
  WorkflowRunsToCancel,
  WorkflowRunsToRerun,
  WorkflowRunState
} from "@parley/domain/automation"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { describe } from "./describe.ts"
import { Idempotent } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf, PageQuery, RunQuery } from "./shapes.ts"

const read = [Problems.PermissionDenied, Problems.NotFound] as const
const gated = [Problems.PermissionDenied, Problems.FeatureNotInPlan] as const

const runOf = {
  ...idOf(WorkflowId, "workflow"),
  runId: WorkflowRunId.pipe(Schema.annotateKey({ description: "Id of the run." }))
}

/** Endpoints of the runs of a workflow. */
export const workflowRunEndpoints = [
  HttpApiEndpoint.get("listRuns", "/workflows/:id/runs", {
    params: idOf(WorkflowId, "workflow"),
    query: {
      ...PageQuery,
      state: Schema.optionalKey(WorkflowRunState).annotateKey({ description: "Only runs in this state." }),
      ...RunQuery
    },
    success: Page(WorkflowRun),
    error: [...read, Problems.CursorInvalid]
  }).annotateMerge(
    describe(
      "listWorkflowRuns",
      "List the runs of a workflow",
      "Live and ended runs, newest first. Runs are stored for 90 days after their end."
    )
  ),
  HttpApiEndpoint.get("getRun", "/workflows/:id/runs/:runId", {
    params: runOf,
    success: ExplainedWorkflowRun,
    error: read
  }).annotateMerge(
    describe(
      "getWorkflowRun",
      "Get a workflow run",
      "Its path, the values of its conditions, and the result or error of each action. Condition values and step results are `null` for callers who cannot read contacts and conversations."
    )
  ),
  HttpApiEndpoint.post("startRun", "/workflows/:id/runs", {
    params: idOf(WorkflowId, "workflow"),
    payload: WorkflowRunInput,
    success: ExplainedWorkflowRun.pipe(HttpApiSchema.status(201)),
    error: [
      ...gated,
      Problems.NotFound,
      Problems.WorkflowNotActive,
      Problems.ContactInWorkflow,
      Problems.ContactUnreachable
    ]
  })
    .annotateMerge(
      describe(
        "startWorkflowRun",
        "Start a workflow run",
        "Starts without an event and ignores the conditions of the entry. The key of the run is the contact; the reentry rule applies."
      )
    )
    .middleware(Idempotent),
  HttpApiEndpoint.post("enroll", "/workflows/:id/enrollments", {
    params: idOf(WorkflowId, "workflow"),
    payload: WorkflowEnrollment,
    success: Job.pipe(HttpApiSchema.status(202)),
    error: [...gated, Problems.NotFound, Problems.WorkflowNotActive]
  })
    .annotateMerge(
      describe(
        "enrollContacts",
        "Start workflow runs for an audience",
        "A job starts the runs; it counts `matched` and `enrolled` contacts, and the skipped ones: contacts with a live run (`inWorkflow`), contacts that cannot enter again yet (`reentry`), and blocked or deleted contacts (`contactBlocked`, `contactGone`)."
      )
    )
    .middleware(Idempotent),
  HttpApiEndpoint.post("migrateRuns", "/workflows/:id/migrate_runs", {
    params: idOf(WorkflowId, "workflow"),
    payload: WorkflowRunsMove,
    success: Job.pipe(HttpApiSchema.status(202)),
    error: [...gated, Problems.NotFound, Problems.WorkflowTransitionInvalid]
  })
    .annotateMerge(
      describe(
        "migrateWorkflowRuns",
        "Migrate live runs to the published version",
        "A job moves the runs; it counts runs that `moved`, `stayed` and `exited`. A run goes to the node in `map`, otherwise to the node with the same id. In the same node its deadline counts from its arrival; in another node, from the move. Completed steps stay."
      )
    )
    .middleware(Idempotent),
  HttpApiEndpoint.post("cancelRun", "/workflows/:id/runs/:runId/cancel", {
    params: runOf,
    success: ExplainedWorkflowRun,
    error: [...gated, Problems.NotFound, Problems.RunEnded]
  })
    .annotateMerge(describe("cancelWorkflowRun", "Cancel a workflow run", "Completed steps stay."))
    .middleware(Idempotent),
  HttpApiEndpoint.post("cancelRuns", "/workflows/:id/runs/cancel", {
    params: idOf(WorkflowId, "workflow"),
    payload: WorkflowRunsToCancel,
    success: [Job.pipe(HttpApiSchema.status(202)), RunCount],
    error: [...gated, Problems.NotFound]
  })
    .annotateMerge(
      describe(
        "cancelWorkflowRuns",
        "Cancel the runs of a workflow that match a filter",
        "A job cancels the runs; it counts runs that are `cancelled`, and matching runs that it `skipped` because they had ended before the job reached them. Runs that start after the call continue. With `preview` the answer is only the number of runs."
      )
    )
    .middleware(Idempotent),
  HttpApiEndpoint.post("rerunRuns", "/workflows/:id/runs/rerun", {
    params: idOf(WorkflowId, "workflow"),
    payload: WorkflowRunsToRerun,
    success: [Job.pipe(HttpApiSchema.status(202)), RunCount],
    error: [...gated, Problems.NotFound, Problems.WorkflowNotActive]
  })
    .annotateMerge(
      describe(
        "rerunWorkflowRuns",
        "Re-run the runs of a workflow that match a filter",
        "A job starts one new run for each ended run that no run has repeated. The new run starts at the entry of the published version, with the event and the input of the ended run; completed steps are performed again. The job counts runs that it `started`, runs without a contact (`contactGone`, `contactBlocked`), contacts with a live run (`inWorkflow`), entries that `reentry` prevents, and runs that another job has `repeated`. With `preview` the answer is only the number of runs. You need every permission that the workflow uses."
      )
    )
    .middleware(Idempotent),
  HttpApiEndpoint.post("continueRun", "/workflows/:id/runs/:runId/continue", {
    params: runOf,
    payload: WorkflowRunContinuation,
    success: ExplainedWorkflowRun,
    error: [...gated, Problems.NotFound, Problems.RunEnded, Problems.RunNotWaiting]
  })
    .annotateMerge(
      describe(
        "continueWorkflowRun",
        "End a wait of a workflow run",
        "The run enters the next node now. A wait for an event ends at its timeout exit, unless `as` is `event`; the next nodes then see no new event. Holds, quiet hours and plugin calls do not end."
      )
    )
    .middleware(Idempotent)
] as const
