import { Automation, AutomationId, AutomationPatch, NewAutomation, Page } from "@parley/domain"
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
      success: Page(Automation),
      error: [Problems.PermissionDenied, Problems.CursorInvalid]
    }).annotateMerge(describe("listAutomations", "List automations")),
    HttpApiEndpoint.post("create", "/automations", {
      payload: NewAutomation,
      success: Automation.pipe(HttpApiSchema.status(201)),
      error: gated
    })
      .annotateMerge(describe("createAutomation", "Save a new automation", "It starts switched off."))
      .middleware(Idempotent),
    HttpApiEndpoint.get("get", "/automations/:id", {
      params: idOf(AutomationId, "automation"),
      success: Automation,
      error: [Problems.PermissionDenied, Problems.NotFound]
    }).annotateMerge(describe("getAutomation", "Read an automation")),
    HttpApiEndpoint.patch("update", "/automations/:id", {
      params: idOf(AutomationId, "automation"),
      headers: IfMatch,
      payload: AutomationPatch,
      success: Automation,
      error: changed
    }).annotateMerge(describe("updateAutomation", "Change an automation")),
    HttpApiEndpoint.delete("delete", "/automations/:id", {
      params: idOf(AutomationId, "automation"),
      headers: IfMatch,
      success: HttpApiSchema.NoContent,
      error: changed
    }).annotateMerge(describe("deleteAutomation", "Delete an automation")),
    HttpApiEndpoint.post("enable", "/automations/:id/enable", {
      params: idOf(AutomationId, "automation"),
      headers: IfMatch,
      success: Automation,
      error: changed
    })
      .annotateMerge(describe("enableAutomation", "Switch an automation on"))
      .middleware(Idempotent),
    HttpApiEndpoint.post("disable", "/automations/:id/disable", {
      params: idOf(AutomationId, "automation"),
      headers: IfMatch,
      success: Automation,
      error: changed
    })
      .annotateMerge(describe("disableAutomation", "Switch an automation off"))
      .middleware(Idempotent)
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Automations", "Routines of the organization. A feature of the plans growth and scale.")) {}
