import { Page } from "@parley/domain/kernel"
import {
  AutomationId,
  AutomationPatch,
  AutomationRun,
  AutomationRunId,
  AutomationRunState,
  AutomationRunsToCancel,
  AutomationRunsToRerun,
  AutomationSettings,
  AutomationSettingsPatch,
  AutomationSort,
  AutomationStatus,
  AutomationTest,
  AutomationTestResult,
  AutomationView,
  IssuedTriggerUrl,
  NewAutomation,
  NewTriggerUrl,
  RunCount,
  TriggerCallInput,
  TriggerEvent,
  TriggerReceipt,
  TriggerUrl
} from "@parley/domain/automation"
import { Job } from "@parley/domain/platform"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { area, describe } from "./describe.ts"
import { Idempotent, InOrganization, Public, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf, IfMatch, nameQuery, PageQuery, RunQuery, sortQuery } from "./shapes.ts"

const gated = [Problems.PermissionDenied, Problems.FeatureNotInPlan] as const
const changed = [...gated, Problems.NotFound, Problems.VersionConflict] as const

const runOf = {
  ...idOf(AutomationId, "automation"),
  runId: AutomationRunId.pipe(Schema.annotateKey({ description: "Id of the run." }))
}

/** Automations: reads are open on every plan, writes are gated by it. */
export class AutomationsApi extends HttpApiGroup.make("automations")
  .add(
    HttpApiEndpoint.get("list", "/automations", {
      query: {
        ...PageQuery,
        q: nameQuery("Part of the name, ignoring case and accents."),
        status: Schema.optionalKey(AutomationStatus).annotateKey({ description: "Only automations with this status." }),
        event: Schema.optionalKey(TriggerEvent).annotateKey({
          description: "Only automations that start on this event."
        }),
        sort: sortQuery(AutomationSort, "-createdAt")
      },
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
          "Create an automation",
          "The new automation is disabled and comes last. Only `name` is required. You need every permission that the automation uses: for its actions, event, conditions and texts, and for workflows that it starts."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.get("get", "/automations/:id", {
      params: idOf(AutomationId, "automation"),
      success: AutomationView,
      error: [Problems.PermissionDenied, Problems.NotFound]
    }).annotateMerge(describe("getAutomation", "Get an automation")),
    HttpApiEndpoint.patch("update", "/automations/:id", {
      params: idOf(AutomationId, "automation"),
      headers: IfMatch,
      payload: AutomationPatch,
      success: AutomationView,
      error: changed
    }).annotateMerge(
      describe(
        "updateAutomation",
        "Update an automation",
        "Existing runs keep their version. A `position` moves the automation; automations in between shift and keep their versions."
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
      .annotateMerge(describe("enableAutomation", "Enable an automation", "It needs an event and at least one action."))
      .middleware(Idempotent),
    HttpApiEndpoint.post("disable", "/automations/:id/disable", {
      params: idOf(AutomationId, "automation"),
      headers: IfMatch,
      success: AutomationView,
      error: changed
    })
      .annotateMerge(describe("disableAutomation", "Disable an automation"))
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
          "Test an automation against a past event",
          "Shows the result for the event in today's state: each condition with its values, and each action with its texts and the reason for a refusal. Nothing is executed. A draft in the request replaces the saved automation."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.get("listRuns", "/automations/:id/runs", {
      params: idOf(AutomationId, "automation"),
      query: {
        ...PageQuery,
        state: Schema.optionalKey(AutomationRunState).annotateKey({ description: "Only runs in this state." }),
        ...RunQuery
      },
      success: Page(AutomationRun),
      error: [Problems.PermissionDenied, Problems.NotFound, Problems.CursorInvalid]
    }).annotateMerge(
      describe(
        "listAutomationRuns",
        "List the runs of an automation",
        "The result and reason for each event, newest first. Runs are stored for 30 days; for runs without matching conditions, only the newest 100. Condition values are `null` for callers who cannot read contacts and conversations."
      )
    ),
    HttpApiEndpoint.get("getRun", "/automations/:id/runs/:runId", {
      params: runOf,
      success: AutomationRun,
      error: [Problems.PermissionDenied, Problems.NotFound]
    }).annotateMerge(describe("getAutomationRun", "Get an automation run")),
    HttpApiEndpoint.post("cancelRun", "/automations/:id/runs/:runId/cancel", {
      params: runOf,
      success: AutomationRun,
      error: [...gated, Problems.NotFound, Problems.RunEnded]
    })
      .annotateMerge(
        describe(
          "cancelAutomationRun",
          "Cancel an automation run",
          "The run stops before its next action. Effects of completed actions stay; an outbound plugin call is not recalled."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.post("cancelRuns", "/automations/:id/runs/cancel", {
      params: idOf(AutomationId, "automation"),
      payload: AutomationRunsToCancel,
      success: [Job.pipe(HttpApiSchema.status(202)), RunCount],
      error: [...gated, Problems.NotFound]
    })
      .annotateMerge(
        describe(
          "cancelAutomationRuns",
          "Cancel the runs of an automation that match a filter",
          "A job cancels the runs; it counts runs that are `cancelled`, and matching runs that it `skipped` because they had ended before the job reached them. Runs that start after the call continue. With `preview` the answer is only the number of runs."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.post("rerunRuns", "/automations/:id/runs/rerun", {
      params: idOf(AutomationId, "automation"),
      payload: AutomationRunsToRerun,
      success: [Job.pipe(HttpApiSchema.status(202)), RunCount],
      error: [...gated, Problems.NotFound, Problems.AutomationNotEnabled]
    })
      .annotateMerge(
        describe(
          "rerunAutomationRuns",
          "Re-run the runs of an automation that match a filter",
          "A job starts one new run for each ended run that no run has repeated, with the same event and the current version of the automation. Completed actions are not repeated if the actions of the automation are unchanged. The job counts runs that it `started`, runs without a contact (`contactGone`, `contactBlocked`), and runs that another job has `repeated`. With `preview` the answer is only the number of runs. You need every permission that the automation uses."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.get("getTriggerUrl", "/automations/:id/trigger_url", {
      params: idOf(AutomationId, "automation"),
      success: TriggerUrl,
      error: [Problems.PermissionDenied, Problems.NotFound]
    }).annotateMerge(
      describe(
        "getAutomationTriggerUrl",
        "Get the trigger URL of an automation",
        "Without the token and the signing secret, which only the rotation shows."
      )
    ),
    HttpApiEndpoint.post("rotateTriggerUrl", "/automations/:id/trigger_url", {
      params: idOf(AutomationId, "automation"),
      payload: NewTriggerUrl,
      success: IssuedTriggerUrl.pipe(HttpApiSchema.status(201)),
      error: [...gated, Problems.NotFound]
    })
      .annotateMerge(
        describe(
          "rotateAutomationTriggerUrl",
          "Rotate the trigger URL of an automation",
          "Creates the URL, or replaces it: the earlier URL stops working immediately. The automation starts on calls of the URL if its event is `webhook.received`. The URL and the signing secret are shown once."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.delete("deleteTriggerUrl", "/automations/:id/trigger_url", {
      params: idOf(AutomationId, "automation"),
      success: HttpApiSchema.NoContent,
      error: [...gated, Problems.NotFound]
    }).annotateMerge(
      describe("deleteAutomationTriggerUrl", "Delete the trigger URL of an automation", "Calls of the URL are 404.")
    ),
    HttpApiEndpoint.get("settings", "/automation_settings", {
      success: AutomationSettings,
      error: Problems.PermissionDenied
    }).annotateMerge(describe("getAutomationSettings", "Get the automation settings")),
    HttpApiEndpoint.patch("updateSettings", "/automation_settings", {
      headers: IfMatch,
      payload: AutomationSettingsPatch,
      success: AutomationSettings,
      error: [...gated, Problems.VersionConflict]
    }).annotateMerge(
      describe(
        "updateAutomationSettings",
        "Pause or resume automations and workflows",
        "After a pause, no action starts within one second. Resuming continues existing runs where they stopped."
      )
    )
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Automations", "Actions that run on events. A feature of the plans growth and scale.")) {}

const call = {
  ...idOf(AutomationId, "automation"),
  token: Schema.RedactedFromValue(Schema.String).annotateKey({ description: "Token of the trigger URL." })
}

/** Calls of other systems. The token of the URL is their only credential. */
export class AutomationTriggersApi extends HttpApiGroup.make("automationTriggers")
  .add(
    HttpApiEndpoint.post("trigger", "/automations/:id/trigger/:token", {
      params: call,
      payload: TriggerCallInput,
      success: TriggerReceipt.pipe(HttpApiSchema.status(202)),
      error: [Problems.TriggerSignatureInvalid, Problems.NotFound]
    }).annotateMerge(
      describe(
        "triggerAutomation",
        "Trigger an automation",
        "Starts a run of the automation for the contact. At most 64 KiB. With a signing secret, the call is signed as Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`) within five minutes. A repeated `webhook-id` starts nothing; without a signature, the same holds for a repeated `Idempotency-Key`. A wrong token and an unknown automation have the same answer."
      )
    )
  )
  .middleware(RequestFaults)
  .middleware(Public)
  .prefix("/api/v1")
  .annotateMerge(area("Automation triggers", "The URLs that start automations from other systems.")) {}
