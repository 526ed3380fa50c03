import { defineArea, seenWith } from "../../kernel/index.ts"
import { scheduleResources } from "./eventResources.ts"
import { ScheduleEvent } from "./Events.ts"
import { schedulesStorage } from "./Storage.ts"

/** What this area says of itself. */
export const schedulesArea = defineArea({
  name: "automation/schedules",
  storage: schedulesStorage,
  events: seenWith(ScheduleEvent, {
    "schedule.created": "organization.read",
    "schedule.updated": "organization.read",
    "schedule.deleted": "organization.read"
  }),
  eventResources: scheduleResources
})
