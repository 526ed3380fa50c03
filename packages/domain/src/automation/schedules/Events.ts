import { Schema } from "effect"
import { ScheduleId } from "./WeeklySchedule.ts"

/** Events of schedules. */
export const ScheduleEvent = Schema.Union([
  Schema.Struct({ type: Schema.Literal("schedule.created"), scheduleId: ScheduleId }),
  Schema.Struct({ type: Schema.Literal("schedule.updated"), scheduleId: ScheduleId }),
  Schema.Struct({ type: Schema.Literal("schedule.deleted"), scheduleId: ScheduleId })
])
export type ScheduleEvent = typeof ScheduleEvent.Type
