import { Page } from "@parley/domain/kernel"
import { Job } from "@parley/domain/platform"
import {
  ExplainedWorkflowRun,
  RunCount,
  TriggerEvent,
  WorkflowRunContinuation,
  WorkflowRunInput,
  NewWorkflow,
  Workflow,
  WorkflowArchiveOptions,
  WorkflowEnrollment,
  WorkflowIssues,
  WorkflowId,
  WorkflowPatch,
  WorkflowRun,
  WorkflowRunId,
  WorkflowRunsMove,
  WorkflowRunsToCancel,
  WorkflowRunsToRerun,
  WorkflowRunState,
  WorkflowSort,
  WorkflowStatus,
  WorkflowTest,
  WorkflowTestResult,
  WorkflowVersion
} from "@parley/domain/automation"
import { Schema, SchemaGetter } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { area, describe } from "./describe.ts"
import { Idempotent, InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf, IfMatch, nameQuery, PageQuery, RunQuery, sortQuery } from "./shapes.ts"

const read = [Problems.PermissionDenied, Problems.NotFound] as const
const gated = [Problems.PermissionDenied, Problems.FeatureNotInPlan] as const
const changed = [...gated, Problems.NotFound, Problems.VersionConflict] as const

const moved = [...changed, Problems.WorkflowTransitionInvalid] as const

const VersionNumber = Schema.String.check(
  Schema.isPattern(/^[1-9]\d{0,8}$/u, { message: "Expected the number of a published version" })
).pipe(Schema.decodeTo(Schema.Int, { decode: SchemaGetter.transform(Number), encode: SchemaGetter.transform(String) }))

const runOf = {
  ...idOf(WorkflowId, "workflow"),
  runId: WorkflowRunId.pipe(Schema.annotateKey({ description: "Id of the run." }))
}

/** Format for tools that draw graphs. */
const Mermaid = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/vnd.mermaid" }))

/** Workflows: reads are open on every plan, writes are gated by it. */
export class WorkflowsApi extends HttpApiGroup.make("workflows")
  .add(
    HttpApiEndpoint.get("list", "/workflows", {
      query: {
        ...PageQuery,
        q: nameQuery("Part of the name, ignoring case and accents."),
        status: Schema.optionalKey(WorkflowStatus).annotateKey({ description: "Only workflows with this status." }),
        event: Schema.optionalKey(TriggerEvent).annotateKey({
          description: "Only workflows whose draft starts on this event."
        }),
        sort: sortQuery(WorkflowSort, "-createdAt")
      },
      success: Page(Workflow),
      error: [Problems.PermissionDenied, Problems.CursorInvalid]
    }).annotateMerge(describe("listWorkflows", "List workflows")),
    HttpApiEndpoint.post("create", "/workflows", {
      payload: NewWorkflow,
      success: Workflow.pipe(HttpApiSchema.status(201)),
      error: [...gated, Problems.PlanLimitReached]
    })
      .annotateMerge(
        describe(
          "createWorkflow",
          "Create a workflow",
          "A draft can be incomplete: publishing needs an entry, and every node that other nodes name. You need every permission that the workflow uses: for its actions, events, conditions and texts, and for workflows that it starts."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.get("get", "/workflows/:id", {
      params: idOf(WorkflowId, "workflow"),
      success: Workflow,
      error: read
    }).annotateMerge(describe("getWorkflow", "Get a workflow")),
    HttpApiEndpoint.patch("update", "/workflows/:id", {
      params: idOf(WorkflowId, "workflow"),
      headers: IfMatch,
      payload: WorkflowPatch,
      success: Workflow,
      error: changed
    }).annotateMerge(
      describe(
        "updateWorkflow",
        "Update a workflow",
        "The graph is the draft of the next version and is replaced as a whole."
      )
    ),
    HttpApiEndpoint.delete("delete", "/workflows/:id", {
      params: idOf(WorkflowId, "workflow"),
      headers: IfMatch,
      success: HttpApiSchema.NoContent,
      error: [...changed, Problems.WorkflowInUse]
    }).annotateMerge(describe("deleteWorkflow", "Delete a draft or archived workflow")),
    HttpApiEndpoint.post("validate", "/workflows/:id/validate", {
      params: idOf(WorkflowId, "workflow"),
      success: WorkflowIssues,
      error: [...gated, Problems.NotFound]
    })
      .annotateMerge(
        describe(
          "validateWorkflow",
          "Validate a workflow",
          "Returns all errors that publishing would return: unknown and duplicate ids, unreachable nodes and nodes without an end, loops without a wait, wrong percentages, unknown names in conditions and texts, and missing or unapproved resources. Nothing is published."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.post("test", "/workflows/:id/test", {
      params: idOf(WorkflowId, "workflow"),
      payload: WorkflowTest,
      success: WorkflowTestResult,
      error: [...gated, Problems.NotFound]
    })
      .annotateMerge(
        describe(
          "testWorkflow",
          "Test a workflow for a contact",
          "Leads the contact through the draft or a version on a virtual clock, with today's data and rules. Shows each node with its time, values, texts and the reason for a refusal. Waits take no real time: `answers` selects the event or the timeout of each. Plugin calls count as done without an answer. Nothing is executed, and nothing is stored."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.post("publish", "/workflows/:id/publish", {
      params: idOf(WorkflowId, "workflow"),
      headers: IfMatch,
      success: Workflow,
      error: moved
    })
      .annotateMerge(
        describe(
          "publishWorkflow",
          "Publish a workflow",
          "The draft becomes the next version, which never changes. New runs use it; live runs keep their version. A draft becomes active, a paused workflow stays paused. The answer contains all errors with their position in `/graph`. You need the permission for each action."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.post("pause", "/workflows/:id/pause", {
      params: idOf(WorkflowId, "workflow"),
      headers: IfMatch,
      success: Workflow,
      error: moved
    })
      .annotateMerge(
        describe(
          "pauseWorkflow",
          "Pause a workflow",
          "No run starts, and live runs stop at their node. Timers continue: when the workflow is resumed, due steps run or are too late."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.post("resume", "/workflows/:id/resume", {
      params: idOf(WorkflowId, "workflow"),
      headers: IfMatch,
      success: Workflow,
      error: moved
    })
      .annotateMerge(describe("resumeWorkflow", "Resume a workflow"))
      .middleware(Idempotent),
    HttpApiEndpoint.post("archive", "/workflows/:id/archive", {
      params: idOf(WorkflowId, "workflow"),
      headers: IfMatch,
      payload: WorkflowArchiveOptions,
      success: Workflow,
      error: moved
    })
      .annotateMerge(
        describe(
          "archiveWorkflow",
          "Archive a workflow",
          "Permanent: no run starts again. Live runs finish, or exit with the reason `archived`."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.get("draw", "/workflows/:id/diagram", {
      params: idOf(WorkflowId, "workflow"),
      query: {
        version: Schema.optionalKey(VersionNumber).annotateKey({
          description: "Number of a published version. Default: the draft."
        })
      },
      success: Mermaid,
      error: read
    }).annotateMerge(
      describe(
        "getWorkflowDiagram",
        "Get the diagram of a workflow",
        "The graph as a Mermaid flowchart, with the number of live runs in each node: of the drawn version, or of all versions for the draft. Texts are escaped."
      )
    ),
    HttpApiEndpoint.get("listVersions", "/workflows/:id/versions", {
      params: idOf(WorkflowId, "workflow"),
      query: PageQuery,
      success: Page(WorkflowVersion),
      error: [...read, Problems.CursorInvalid]
    }).annotateMerge(
      describe(
        "listWorkflowVersions",
        "List the versions of a workflow",
        "Newest first. A published version never changes."
      )
    ),
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
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Workflows", "Graphs of steps for contacts. A feature of the plan scale.")) {}
