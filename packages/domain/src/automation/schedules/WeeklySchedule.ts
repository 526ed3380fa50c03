import { Schema } from "effect"
import { Name, Timezone } from "../../platform/identity/index.ts"
import { Timestamp, Uuid } from "../../kernel/index.ts"
import { Holiday, HolidayInputs } from "./Holiday.ts"
import { DaySpans } from "./DaySpans.ts"

export const ScheduleId = Uuid.pipe(Schema.brand("ScheduleId"))
export type ScheduleId = typeof ScheduleId.Type

const ScheduleName = Name.check(Schema.isMaxCodePoints(120, { message: "Expected at most 120 characters" }))

/** The hours of each day of a week. */
export const Week = Schema.Struct({
  mon: DaySpans,
  tue: DaySpans,
  wed: DaySpans,
  thu: DaySpans,
  fri: DaySpans,
  sat: DaySpans,
  sun: DaySpans
}).annotate({ identifier: "Week" })
export type Week = typeof Week.Type

/** The hours of a week as they are written: closed on the days that are not named. */
export const WeekInput = Schema.Struct({
  mon: Schema.optionalKey(DaySpans),
  tue: Schema.optionalKey(DaySpans),
  wed: Schema.optionalKey(DaySpans),
  thu: Schema.optionalKey(DaySpans),
  fri: Schema.optionalKey(DaySpans),
  sat: Schema.optionalKey(DaySpans),
  sun: Schema.optionalKey(DaySpans)
}).annotate({ identifier: "WeekInput" })
export type WeekInput = typeof WeekInput.Type

/** When somebody is there: the hours of a week by the clocks of a zone, and the days on which they do not count. */
export class WeeklySchedule extends Schema.Class<WeeklySchedule>("Schedule")({
  id: ScheduleId,
  name: ScheduleName,
  timezone: Schema.NullOr(Timezone).annotateKey({ description: "Null: that of the organization." }),
  weekly: Week,
  holidays: Schema.Array(Holiday),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  version: Schema.Int
}) {}

/** What is said of a new schedule. */
export const NewSchedule = Schema.Struct({
  name: ScheduleName,
  timezone: Schema.optionalKey(Schema.NullOr(Timezone)),
  weekly: WeekInput,
  holidays: Schema.optionalKey(HolidayInputs)
}).annotate({ identifier: "NewSchedule" })
export type NewSchedule = typeof NewSchedule.Type

/** What may be changed of a schedule; an absent field stays, and the week is changed as a whole. */
export const SchedulePatch = Schema.Struct({
  name: Schema.optionalKey(ScheduleName),
  timezone: Schema.optionalKey(Schema.NullOr(Timezone)),
  weekly: Schema.optionalKey(WeekInput),
  holidays: Schema.optionalKey(HolidayInputs)
}).annotate({ identifier: "SchedulePatch" })
export type SchedulePatch = typeof SchedulePatch.Type

/** Whether it is open, and when that changes. */
export const ScheduleStatus = Schema.Struct({
  open: Schema.Boolean,
  nextChangeAt: Schema.NullOr(Timestamp).annotateKey({
    description: "When it opens or closes next; null if it does neither within 400 days."
  })
}).annotate({ identifier: "ScheduleStatus" })
export type ScheduleStatus = typeof ScheduleStatus.Type
