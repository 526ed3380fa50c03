import { Context, DateTime, Effect, Schema } from "effect"
import { daysOfWeek } from "../../campaigns/index.ts"
import {
  LocalDate,
  type NotFound,
  type Slice,
  type TenantScoped,
  Timestamp,
  type Transaction,
  Uuid,
  type VersionConflict
} from "../../kernel/index.ts"
import { SingleLineText, Organizations, Timezone } from "../../platform/identity/index.ts"

const message = "Expected a clock time such as 09:30, up to 24:00"

/** Local time from 00:00 to 24:00, the end of the day. */
const SpanTime = Schema.String.check(Schema.isPattern(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/u, { message }))

/** Span from a local time to a later one on the same day. */
export const DaySpan = Schema.Array(SpanTime).check(
  Schema.isBetweenLength(2, 2, { message: "Expected two clock times: from and to" }),
  Schema.makeFilter(
    ([from, to]: ReadonlyArray<string>) =>
      from === undefined ||
      to === undefined ||
      from < to ||
      "Expected the end after the start: hours over midnight are two spans, the first up to 24:00"
  )
)
export type DaySpan = typeof DaySpan.Type

const spansIssue = (spans: ReadonlyArray<DaySpan>) => {
  const overlaps = spans.some(([from = ""], index) => index > 0 && from < (spans[index - 1]?.[1] ?? ""))
  return !overlaps || "Expected spans in the order of the day that do not overlap"
}

/** Opening times of a day; empty means closed. */
export const DaySpans = Schema.Array(DaySpan).check(
  Schema.isMaxLength(6, { message: "Expected at most 6 spans" }),
  Schema.makeFilter(spansIssue)
)
export type DaySpans = typeof DaySpans.Type

const HolidayName = SingleLineText.check(Schema.isMaxCodePoints(120, { message: "Expected at most 120 characters" }))

/** Date that replaces the weekly hours. */
export const Holiday = Schema.Struct({
  date: LocalDate,
  yearly: Schema.Boolean.annotateKey({ description: "Whether the day applies in every year." }),
  name: HolidayName,
  spans: DaySpans
}).annotate({ identifier: "Holiday" })
export type Holiday = typeof Holiday.Type

/** Holiday in API input. Default: closed, and this year only. */
export const HolidayInput = Schema.Struct({
  date: LocalDate,
  yearly: Schema.optionalKey(Schema.Boolean),
  name: HolidayName,
  spans: Schema.optionalKey(DaySpans)
}).annotate({ identifier: "HolidayInput" })
export type HolidayInput = typeof HolidayInput.Type

const monthDay = "2026-".length

/** Unique key of a holiday. A holiday of one year takes precedence over a yearly one. */
const keyOf = ({ date, yearly = false }: HolidayInput) => (yearly ? date.slice(monthDay) : date)

const eachOnce = (holidays: ReadonlyArray<HolidayInput>) =>
  new Set(holidays.map(keyOf)).size === holidays.length || "Expected each holiday once"

export const HolidayInputs = Schema.Array(HolidayInput).check(
  Schema.isMaxLength(200, { message: "Expected at most 200 holidays" }),
  Schema.makeFilter(eachOnce)
)

export const holidayOn = (holidays: ReadonlyArray<Holiday>, date: LocalDate): Holiday | undefined =>
  holidays.find((each) => !each.yearly && each.date === date) ??
  holidays.find((each) => each.yearly && each.date.slice(monthDay) === date.slice(monthDay))

export const ScheduleId = Uuid.pipe(Schema.brand("ScheduleId"))
export type ScheduleId = typeof ScheduleId.Type

const ScheduleName = SingleLineText.check(Schema.isMaxCodePoints(120, { message: "Expected at most 120 characters" }))

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

/** Weekly hours in API input. Missing days are closed. */
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

/** Opening hours: weekly hours in a time zone, and holidays that replace them. */
export class WeeklySchedule extends Schema.Class<WeeklySchedule>("Schedule")({
  id: ScheduleId,
  name: ScheduleName,
  timezone: Schema.NullOr(Timezone).annotateKey({
    description: "Time zone as an IANA name; null: the time zone of the organization."
  }),
  weekly: Week,
  holidays: Schema.Array(Holiday),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  version: Schema.Int
}) {}

export const NewSchedule = Schema.Struct({
  name: ScheduleName,
  timezone: Schema.optionalKey(Schema.NullOr(Timezone)),
  weekly: WeekInput,
  holidays: Schema.optionalKey(HolidayInputs)
}).annotate({ identifier: "NewSchedule" })
export type NewSchedule = typeof NewSchedule.Type

/** Changes to a schedule. Absent fields stay unchanged; the week is replaced as a whole. */
export const SchedulePatch = Schema.Struct({
  name: Schema.optionalKey(ScheduleName),
  timezone: Schema.optionalKey(Schema.NullOr(Timezone)),
  weekly: Schema.optionalKey(WeekInput),
  holidays: Schema.optionalKey(HolidayInputs)
}).annotate({ identifier: "SchedulePatch" })
export type SchedulePatch = typeof SchedulePatch.Type

/** Whether the schedule is open, and when that changes. */
export const ScheduleStatus = Schema.Struct({
  open: Schema.Boolean,
  nextChangeAt: Schema.NullOr(Timestamp).annotateKey({
    description: "Time of the next opening or closing; null if there is none within 400 days."
  })
}).annotate({ identifier: "ScheduleStatus" })
export type ScheduleStatus = typeof ScheduleStatus.Type

export class WeeklySchedules extends Context.Service<
  WeeklySchedules,
  TenantScoped<{
    readonly get: (id: ScheduleId) => Effect.Effect<WeeklySchedule, NotFound>
    /** Existing schedules among these ids, unordered. */
    readonly find: (ids: ReadonlyArray<ScheduleId>) => Effect.Effect<ReadonlyArray<WeeklySchedule>>
    /** Newest first. The row key is the id. */
    readonly list: (slice: Slice) => Effect.Effect<ReadonlyArray<WeeklySchedule>>
    readonly insert: (schedule: WeeklySchedule) => Effect.Effect<void, never, Transaction>
    /** Stores it with `version + 1` if the stored version equals the expected one (`null`: any version). */
    readonly save: (
      schedule: WeeklySchedule,
      expected: number | null
    ) => Effect.Effect<WeeklySchedule, NotFound | VersionConflict, Transaction>
    readonly remove: (
      id: ScheduleId,
      expected: number | null
    ) => Effect.Effect<void, NotFound | VersionConflict, Transaction>
  }>
>()("@parley/domain/automation/schedules/WeeklySchedules") {}

/** Time zone of a schedule: its own, or the zone of the organization. */
export const zoneOf = Effect.fnUntraced(function* ({ timezone }: Pick<WeeklySchedule, "timezone">) {
  return DateTime.zoneMakeNamedUnsafe(timezone ?? (yield* (yield* Organizations).current()).timezone)
})

/** Returns the week with all days. */
export const weekOf = (input: WeekInput): Week => {
  const { fri = [], mon = [], sat = [], sun = [], thu = [], tue = [], wed = [] } = input
  return { mon, tue, wed, thu, fri, sat, sun }
}

/** Returns the holidays with their defaults, by date. */
export const holidaysOf = (inputs: ReadonlyArray<HolidayInput>): ReadonlyArray<Holiday> =>
  inputs
    .map(({ date, name, spans = [], yearly = false }) => ({ date, yearly, name, spans }))
    .toSorted((one, other) => (one.date < other.date ? -1 : Number(one.date > other.date)))

/** Returns the fields of a schedule for the audit log. */
export const toScheduleAuditFields = ({
  holidays,
  name,
  timezone,
  weekly
}: WeeklySchedule): Record<string, Schema.Json> => ({
  name,
  timezone,
  weekly: Object.fromEntries(daysOfWeek.map((day) => [day, weekly[day].map((span) => [...span])])),
  holidays: holidays.map((holiday) => ({ ...holiday, spans: holiday.spans.map((span) => [...span]) }))
})
