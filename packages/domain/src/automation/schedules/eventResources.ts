import { byId, eventResource } from "../../kernel/index.ts"
import { getSchedule } from "./use-cases/getSchedule.ts"
import { ScheduleId, WeeklySchedule } from "./WeeklySchedule.ts"

/** What the events of this area are about, as GET answers it. */
export const scheduleResources = [
  eventResource("schedule", getSchedule, WeeklySchedule, byId("scheduleId", ScheduleId))
] as const
