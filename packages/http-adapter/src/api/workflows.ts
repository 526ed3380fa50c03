import { NewWorkflow, Page, Workflow, WorkflowId, WorkflowPatch, WorkflowVersion } from "@parley/domain"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { area, describe } from "./describe.ts"
import { Idempotent, InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf, IfMatch, PageQuery } from "./shapes.ts"

const read = [Problems.PermissionDenied, Problems.NotFound] as const
const gated = [Problems.PermissionDenied, Problems.FeatureNotInPlan] as const
const changed = [...gated, Problems.NotFound, Problems.VersionConflict] as const

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
