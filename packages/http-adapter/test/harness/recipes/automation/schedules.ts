import { Effect } from "effect"
import { givenSchedule } from "../../tenants.ts"
import { nothing, type Recipe } from "../../Recipe.ts"

const onSchedule =
  (body?: unknown): Recipe =>
  ({ tenant }) =>
    Effect.map(givenSchedule(tenant.organization), ({ id }) => ({ id, body }))

/** A valid request for each endpoint of this area, with creation of the data that the request needs. */
export const recipes: Readonly<Record<string, Recipe>> = {
  "schedules.list": nothing,
  "schedules.create": () =>
    Effect.succeed({
      body: {
        name: "Support",
        timezone: "Europe/Berlin",
        weekly: { mon: [["09:00", "18:00"]] },
        holidays: [{ date: "2026-12-24", name: "Christmas Eve", spans: [["09:00", "12:00"]] }]
      }
    }),
  "schedules.get": onSchedule(),
  "schedules.status": onSchedule(),
  "schedules.update": onSchedule({ name: "Support in winter" }),
  "schedules.delete": onSchedule()
}
