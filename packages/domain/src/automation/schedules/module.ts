import { idInput, defineArea, defineEventResource, defineEvents } from "../../kernel/index.ts"
import { AwayReplies } from "./AwayReplies.ts"
import { ScheduleId, WeeklySchedule, WeeklySchedules } from "./WeeklySchedule.ts"
import { ScheduleEvent } from "./events.ts"
import { getSchedule } from "./use-cases/schedules.ts"

/** Resources of the events of this area, as GET returns them. */
const scheduleResources = [
  defineEventResource("schedule", getSchedule, WeeklySchedule, idInput("scheduleId", ScheduleId))
] as const

const schedulesStorage = [AwayReplies, WeeklySchedules] as const

export const schedulesArea = defineArea({
  name: "automation/schedules",
  storage: schedulesStorage,
  events: defineEvents(ScheduleEvent, {
    "schedule.created": "organization.read",
    "schedule.updated": "organization.read",
    "schedule.deleted": "organization.read"
  }),
  eventResources: scheduleResources
})
