import type { EventShape } from "../kernel/index.ts"
import { eventResource, idIn } from "../webhooks/index.ts"
import { getSchedule } from "./use-cases/getSchedule.ts"
import { ScheduleId, WeeklySchedule } from "./WeeklySchedule.ts"

const schedules = (event: EventShape): [ScheduleId] | null => {
  const id = idIn(event, "scheduleId", ScheduleId)
  return id === null ? null : [id]
}

/** What the events of this area are about, as GET answers it. */
export const scheduleResources = [eventResource("schedule", getSchedule, WeeklySchedule, schedules)] as const
