import { idArgument, defineArea, defineEventResource, defineEvents } from "../../kernel/index.ts"
import { AwayReplies } from "./AwayReplies.ts"
import { ScheduleId, WeeklySchedule, WeeklySchedules } from "./WeeklySchedule.ts"
import { ScheduleEvent } from "./events.ts"
import { getSchedule } from "./use-cases/schedules.ts"

/** What the events of this area are about, as GET answers it. */
const scheduleResources = [
  defineEventResource("schedule", getSchedule, WeeklySchedule, idArgument("scheduleId", ScheduleId))
] as const

/** The ports that a storage adapter provides of this area. */
const schedulesStorage = [AwayReplies, WeeklySchedules] as const

/** What this area says of itself. */
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
