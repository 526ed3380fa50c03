import {
  ExplainedWorkflowRun,
  Job,
  WorkflowRunInput,
  NewWorkflow,
  Page,
  Workflow,
  WorkflowArchiveOptions,
  WorkflowEnrollment,
  WorkflowIssues,
  WorkflowId,
  WorkflowPatch,
  WorkflowRun,
  WorkflowRunId,
  WorkflowRunsMove,
  WorkflowRunState,
  WorkflowVersion
} from "@parley/domain"
import { Schema, SchemaGetter } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { area, describe } from "./describe.ts"
import { Idempotent, InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf, IfMatch, PageQuery } from "./shapes.ts"

const read = [Problems.PermissionDenied, Problems.NotFound] as const
const gated = [Problems.PermissionDenied, Problems.FeatureNotInPlan] as const
const changed = [...gated, Problems.NotFound, Problems.VersionConflict] as const

const moved = [...changed, Problems.WorkflowTransitionInvalid] as const

const VersionNumber = Schema.String.check(
  Schema.isPattern(/^[1-9]\d{0,8}$/u, { message: "Expected the number of a published version" })
).pipe(Schema.decodeTo(Schema.Int, { decode: SchemaGetter.transform(Number), encode: SchemaGetter.transform(String) }))

const runOf = {
  ...idOf(WorkflowId, "workflow"),
  runId: WorkflowRunId.pipe(Schema.annotateKey({ description: "The id of the run." }))
}

/** What draws graphs reads this. */
const Mermaid = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/vnd.mermaid" }))

/** Workflows: reads are open on every plan, writes are gated by it. */
export class WorkflowsApi extends HttpApiGroup.make("workflows")
  .add(
    HttpApiEndpoint.get("list", "/workflows", {
      query: PageQuery,
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
          "Draft a workflow",
          "A draft can be incomplete: publishing needs an entry, and every node that other nodes name. It needs every permission that the workflow reaches: of its actions, events, conditions and texts, and of workflows that it starts."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.get("get", "/workflows/:id", {
      params: idOf(WorkflowId, "workflow"),
      success: Workflow,
      error: read
    }).annotateMerge(describe("getWorkflow", "Read a workflow")),
    HttpApiEndpoint.patch("update", "/workflows/:id", {
      params: idOf(WorkflowId, "workflow"),
      headers: IfMatch,
      payload: WorkflowPatch,
      success: Workflow,
      error: changed
    }).annotateMerge(
      describe(
        "updateWorkflow",
        "Change a workflow",
        "The graph is the draft of the next version, replaced as a whole."
      )
    ),
    HttpApiEndpoint.delete("delete", "/workflows/:id", {
      params: idOf(WorkflowId, "workflow"),
      headers: IfMatch,
      success: HttpApiSchema.NoContent,
      error: [...changed, Problems.WorkflowInUse]
    }).annotateMerge(describe("deleteWorkflow", "Delete a draft, or an archived workflow")),
    HttpApiEndpoint.post("validate", "/workflows/:id/validate", {
      params: idOf(WorkflowId, "workflow"),
      success: WorkflowIssues,
      error: [...gated, Problems.NotFound]
    })
      .annotateMerge(
        describe(
          "validateWorkflow",
          "Find faults of a draft",
          "All of them at once, as publishing looks for them: ids that are unknown or doubled, nodes without a way to them or to an end, circles without a wait, percents that do not add up, conditions and texts that name what is not known there, and whatever is gone or not approved. It publishes nothing."
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
          "Publish the draft of a workflow",
          "The draft becomes the next version, which never changes; new runs are of it, and live ones keep to theirs. A draft becomes active, a paused workflow stays paused. Every fault of it is answered at once, with its place in `/graph`. Whoever publishes needs the permission for each of its actions."
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
          "None begins, and live runs are held where they are. Clocks go on: what is due meanwhile happens when it is resumed, or is too late then."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.post("resume", "/workflows/:id/resume", {
      params: idOf(WorkflowId, "workflow"),
      headers: IfMatch,
      success: Workflow,
      error: moved
    })
      .annotateMerge(describe("resumeWorkflow", "Let a paused workflow go on"))
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
          "For good: nobody begins it any more. Live runs finish, or leave with the reason `archived`."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.get("draw", "/workflows/:id/diagram", {
      params: idOf(WorkflowId, "workflow"),
      query: {
        version: Schema.optionalKey(VersionNumber).annotateKey({
          description: "The number of a published version; the draft if it is not said."
        })
      },
      success: Mermaid,
      error: read
    }).annotateMerge(
      describe(
        "drawWorkflow",
        "Draw a workflow",
        "Its graph as a flowchart of Mermaid, with how many live runs are in each node: of the version that is drawn, or of all where it is the draft. Texts in it are escaped."
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
        "List the published versions",
        "Newest first. A published version never changes."
      )
    ),
    HttpApiEndpoint.get("listRuns", "/workflows/:id/runs", {
      params: idOf(WorkflowId, "workflow"),
      query: {
        ...PageQuery,
        state: Schema.optionalKey(WorkflowRunState).annotateKey({ description: "Only runs in this state." })
      },
      success: Page(WorkflowRun),
      error: [...read, Problems.CursorInvalid]
    }).annotateMerge(
      describe(
        "listWorkflowRuns",
        "List the runs of a workflow",
        "Who is on the way through it, or was, the latest first. Runs are kept for 90 days after their end."
      )
    ),
    HttpApiEndpoint.get("getRun", "/workflows/:id/runs/:runId", {
      params: runOf,
      success: ExplainedWorkflowRun,
      error: read
    }).annotateMerge(
      describe(
        "getWorkflowRun",
        "Read a run with its steps",
        "Where it was, what its conditions saw, and what each action did or why it failed. What conditions saw and what steps came to is `null` for those who may not read contacts and conversations."
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
          "Have a contact enter a workflow",
          "Without an event, and whatever the entry asks for. The key of the run is the contact; reentry counts."
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
          "Have all contacts of an audience enter a workflow",
          "A job does it, which the answer names; it counts who was `matched` and who has been `enrolled`. Left out are those who are on the way through it already, may not come again yet, or are blocked."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.post("moveRuns", "/workflows/:id/move_runs", {
      params: idOf(WorkflowId, "workflow"),
      payload: WorkflowRunsMove,
      success: Job.pipe(HttpApiSchema.status(202)),
      error: [...gated, Problems.NotFound, Problems.WorkflowTransitionInvalid]
    })
      .annotateMerge(
        describe(
          "moveWorkflowRuns",
          "Move the live runs of a version to the published one",
          "A job does it, which the answer names; it counts who was `moved`, has `stayed` and has `exited`. A run goes to the node that `map` says, else to that of the same id. In the same node its deadline counts from when it came there; in another one, from the move. What it has done stays done."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.post("cancelRun", "/workflows/:id/runs/:runId/cancel", {
      params: runOf,
      success: ExplainedWorkflowRun,
      error: [...gated, Problems.NotFound, Problems.RunEnded]
    })
      .annotateMerge(describe("cancelWorkflowRun", "End a run where it is", "What it has done stays done."))
      .middleware(Idempotent)
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Workflows", "Graphs of steps that contacts are led along. A feature of the plan scale.")) {}
