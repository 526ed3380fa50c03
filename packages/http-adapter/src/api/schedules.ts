import { Page, Timestamp } from "@parley/domain/kernel"
import { NewSchedule, ScheduleId, SchedulePatch, ScheduleStatus, WeeklySchedule } from "@parley/domain/automation"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { area, describe } from "./describe.ts"
import { Idempotent, InOrganization, RequestFaults } from "./middleware.ts"
import * as Problems from "./problems.ts"
import { idOf, IfMatch, PageQuery } from "./shapes.ts"

const read = [Problems.PermissionDenied, Problems.NotFound] as const
const changed = [...read, Problems.VersionConflict] as const

/** Schedules: business hours by the week, with holidays. */
export class SchedulesApi extends HttpApiGroup.make("schedules")
  .add(
    HttpApiEndpoint.get("list", "/schedules", {
      query: PageQuery,
      success: Page(WeeklySchedule),
      error: [Problems.PermissionDenied, Problems.CursorInvalid]
    }).annotateMerge(describe("listSchedules", "List schedules")),
    HttpApiEndpoint.post("create", "/schedules", {
      payload: NewSchedule,
      success: WeeklySchedule.pipe(HttpApiSchema.status(201)),
      error: [Problems.PermissionDenied]
    })
      .annotateMerge(
        describe(
          "createSchedule",
          "Create a schedule",
          "Days that are not given are closed. Hours over midnight are two spans: one up to 24:00, and one from 00:00 of the next day."
        )
      )
      .middleware(Idempotent),
    HttpApiEndpoint.get("get", "/schedules/:id", {
      params: idOf(ScheduleId, "schedule"),
      success: WeeklySchedule,
      error: read
    }).annotateMerge(describe("getSchedule", "Get a schedule")),
    HttpApiEndpoint.get("status", "/schedules/:id/status", {
      params: idOf(ScheduleId, "schedule"),
      query: {
        at: Schema.optionalKey(Timestamp).annotateKey({ description: "Time of the status. Default: now." })
      },
      success: ScheduleStatus,
      error: read
    }).annotateMerge(
      describe(
        "getScheduleStatus",
        "Get the schedule status",
        "For a time that the clock skips, the next moment is used; for a time that occurs twice, the first."
      )
    ),
    HttpApiEndpoint.patch("update", "/schedules/:id", {
      params: idOf(ScheduleId, "schedule"),
      headers: IfMatch,
      payload: SchedulePatch,
      success: WeeklySchedule,
      error: changed
    }).annotateMerge(
      describe("updateSchedule", "Update a schedule", "The week and the holidays are each replaced as a whole.")
    ),
    HttpApiEndpoint.delete("delete", "/schedules/:id", {
      params: idOf(ScheduleId, "schedule"),
      headers: IfMatch,
      success: HttpApiSchema.NoContent,
      error: [...changed, Problems.ScheduleInUse]
    }).annotateMerge(
      describe("deleteSchedule", "Delete a schedule", "Not possible while automations or workflows use it.")
    )
  )
  .middleware(RequestFaults)
  .middleware(InOrganization)
  .prefix("/api/v1")
  .annotateMerge(area("Schedules", "Business hours: the hours of a week, and holidays. On every plan.")) {}
