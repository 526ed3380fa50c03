import {
  AutomationId,
  AutomationPatch,
  AutomationRun,
  AutomationRunId,
  AutomationRunState,
  AutomationSettings,
  AutomationSettingsPatch,
  AutomationTest,
  AutomationTestResult,
  AutomationView,
  NewAutomation,
  Page
} from "@parley/domain"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { area, describe } from "./describe.ts"
import { Idempotent, InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf, IfMatch, PageQuery } from "./shapes.ts"

const gated = [Problems.PermissionDenied, Problems.FeatureNotInPlan] as const
const changed = [...gated, Problems.NotFound, Problems.VersionConflict] as const

/** Automations: reads are open on every plan, writes are gated by it. */
export class AutomationsApi extends HttpApiGroup.make("automations")
  .add(
    HttpApiEndpoint.get("list", "/automations", {
      query: PageQuery,
      success: Page(AutomationView),
      error: [Problems.PermissionDenied, Problems.CursorInvalid]
    }).annotateMerge(describe("listAutomations", "List automations")),
    HttpApiEndpoint.post("create", "/automations", {
      payload: NewAutomation,
      success: AutomationView.pipe(HttpApiSchema.status(201)),
      error: [...gated, Problems.PlanLimitReached, Problems.NotFound]
    })
      .annotateMerge(
        describe(
          "createAutomation",
          "Save a new automation",
          "It starts switched off, after all others. Only its name is needed: the rest may be said later. It needs every permission that the automation reaches: of its actions, event, conditions and texts, and of workflows that it starts."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.get("get", "/automations/:id", {
      params: idOf(AutomationId, "automation"),
      success: AutomationView,
      error: [Problems.PermissionDenied, Problems.NotFound]
    }).annotateMerge(describe("getAutomation", "Read an automation")),
    HttpApiEndpoint.patch("update", "/automations/:id", {
      params: idOf(AutomationId, "automation"),
      headers: IfMatch,
      payload: AutomationPatch,
      success: AutomationView,
      error: changed
    }).annotateMerge(
      describe(
        "updateAutomation",
        "Change an automation",
        "What runs already keeps to the version that it began with. A `position` moves it; those in between make room, and keep their versions."
      )
    ),
    HttpApiEndpoint.delete("delete", "/automations/:id", {
      params: idOf(AutomationId, "automation"),
      headers: IfMatch,
      success: HttpApiSchema.NoContent,
      error: changed
    }).annotateMerge(describe("deleteAutomation", "Delete an automation")),
    HttpApiEndpoint.post("enable", "/automations/:id/enable", {
      params: idOf(AutomationId, "automation"),
      headers: IfMatch,
      success: AutomationView,
      error: changed
    })
      .annotateMerge(
        describe("enableAutomation", "Switch an automation on", "It has to say its event and at least one action.")
      )
      .middleware(Idempotent),
    HttpApiEndpoint.post("disable", "/automations/:id/disable", {
      params: idOf(AutomationId, "automation"),
      headers: IfMatch,
      success: AutomationView,
      error: changed
    })
      .annotateMerge(describe("disableAutomation", "Switch an automation off"))
      .middleware(Idempotent),
    HttpApiEndpoint.post("test", "/automations/:id/test", {
      params: idOf(AutomationId, "automation"),
      payload: AutomationTest,
      success: AutomationTestResult,
      error: [...gated, Problems.NotFound]
    })
      .annotateMerge(
        describe(
          "testAutomation",
          "Try an automation on an event that has happened",
          "What it would do about the event as things are today: every condition with what it sees, and every action with its texts and why it would be refused. Nothing of it is done. A draft is tried in the place of what is saved."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.get("listRuns", "/automations/:id/runs", {
      params: idOf(AutomationId, "automation"),
      query: {
        ...PageQuery,
        state: Schema.optionalKey(AutomationRunState).annotateKey({ description: "Only runs in this state." })
      },
      success: Page(AutomationRun),
      error: [Problems.PermissionDenied, Problems.NotFound, Problems.CursorInvalid]
    }).annotateMerge(
      describe(
        "listAutomationRuns",
        "List what an automation did",
        "What it did about each event, and why, the latest first. Runs are kept for 30 days; of those whose conditions did not hold, the latest 100. What conditions saw is `null` for those who may not read contacts and conversations."
      )
    ),
    HttpApiEndpoint.get("getRun", "/automations/:id/runs/:runId", {
      params: {
        ...idOf(AutomationId, "automation"),
        runId: AutomationRunId.pipe(Schema.annotateKey({ description: "The id of the run." }))
      },
      success: AutomationRun,
      error: [Problems.PermissionDenied, Problems.NotFound]
    }).annotateMerge(describe("getAutomationRun", "Read what an automation did about one event")),
    HttpApiEndpoint.get("settings", "/automation_settings", {
      success: AutomationSettings,
      error: Problems.PermissionDenied
    }).annotateMerge(describe("getAutomationSettings", "Read whether automations are paused")),
    HttpApiEndpoint.patch("updateSettings", "/automation_settings", {
      headers: IfMatch,
      payload: AutomationSettingsPatch,
      success: AutomationSettings,
      error: [...gated, Problems.VersionConflict]
    }).annotateMerge(
      describe(
        "updateAutomationSettings",
        "Pause all automations and workflows, or let them go on",
        "Within a second no action starts any more. What was begun goes on where it was, once they are let go on."
      )
    )
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Automations", "Routines of the organization. A feature of the plans growth and scale.")) {}
