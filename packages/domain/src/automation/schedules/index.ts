export * from "./AwayReplies.ts"
export * from "./errors.ts"
export { ScheduleEvent } from "./events.ts"
export * from "./openingHours.ts"
export * from "./use-cases/schedules.ts"
export {
  DaySpan,
  DaySpans,
  Holiday,
  HolidayInput,
  HolidayInputs,
  holidayOn,
  NewSchedule,
  ScheduleId,
  SchedulePatch,
  ScheduleStatus,
  Week,
  WeekInput,
  WeeklySchedule,
  WeeklySchedules,
  zoneOf
} from "./WeeklySchedule.ts"
