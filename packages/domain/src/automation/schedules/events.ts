import { Schema } from "effect"
import { eventAppender } from "../../kernel/index.ts"
import { ScheduleId } from "./WeeklySchedule.ts"

export const ScheduleEvent = Schema.Union([
  Schema.Struct({ type: Schema.Literal("schedule.created"), scheduleId: ScheduleId }),
  Schema.Struct({ type: Schema.Literal("schedule.updated"), scheduleId: ScheduleId }),
  Schema.Struct({ type: Schema.Literal("schedule.deleted"), scheduleId: ScheduleId })
])
export type ScheduleEvent = typeof ScheduleEvent.Type

/** Appends an event of this area in the commit of the change that it describes. */
export const appendEvent = eventAppender<ScheduleEvent>()
