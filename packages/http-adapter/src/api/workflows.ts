import { NewWorkflow, Page, Workflow, WorkflowFaults, WorkflowId, WorkflowPatch, WorkflowVersion } from "@parley/domain"
import { Schema, SchemaGetter } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { area, describe } from "./describe.ts"
import { Idempotent, InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf, IfMatch, PageQuery } from "./shapes.ts"

const read = [Problems.PermissionDenied, Problems.NotFound] as const
const gated = [Problems.PermissionDenied, Problems.FeatureNotInPlan] as const
const changed = [...gated, Problems.NotFound, Problems.VersionConflict] as const

const VersionNumber = Schema.String.check(
  Schema.isPattern(/^[1-9]\d{0,8}$/u, { message: "Expected the number of a published version" })
).pipe(Schema.decodeTo(Schema.Int, { decode: SchemaGetter.transform(Number), encode: SchemaGetter.transform(String) }))

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
          "A draft may leave out whatever publishing needs: an entry, or nodes that others name."
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
      success: WorkflowFaults,
      error: [...gated, Problems.NotFound]
    })
      .annotateMerge(
        describe(
          "validateWorkflow",
          "Find faults of a draft",
          "All of them at once: ids that are unknown or doubled, nodes without a way to them or to an end, circles without a wait, percents that do not add up, and schedules that are gone. What conditions and actions name is not looked at yet."
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
      describe("drawWorkflow", "Draw a workflow", "Its graph as a flowchart of Mermaid. Texts in it are escaped.")
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
    )
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Workflows", "Graphs of steps that contacts are led along. A feature of the plan scale.")) {}
