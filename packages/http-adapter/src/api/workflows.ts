import { Page } from "@parley/domain/kernel"
import {
  TriggerEvent,
  NewWorkflow,
  Workflow,
  WorkflowArchiveOptions,
  WorkflowIssues,
  WorkflowId,
  WorkflowPatch,
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
import { idOf, IfMatch, nameQuery, PageQuery, sortQuery } from "./shapes.ts"
import { workflowRunEndpoints } from "./workflowRuns.ts"

const read = [Problems.PermissionDenied, Problems.NotFound] as const
const gated = [Problems.PermissionDenied, Problems.FeatureNotInPlan] as const
const changed = [...gated, Problems.NotFound, Problems.VersionConflict] as const

const moved = [...changed, Problems.WorkflowTransitionInvalid] as const

const VersionNumber = Schema.String.check(
  Schema.isPattern(/^[1-9]\d{0,8}$/u, { message: "Expected the number of a published version" })
).pipe(Schema.decodeTo(Schema.Int, { decode: SchemaGetter.transform(Number), encode: SchemaGetter.transform(String) }))

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
    )
  )
  .add(...workflowRunEndpoints)
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Workflows", "Graphs of steps for contacts. A feature of the plan scale.")) {}
