import { DateTime, Schema } from "effect"
import { type ValidationIssue, Timestamp } from "../../kernel/index.ts"
import { toInstantAtOffset, toInstant, LocalTime } from "./timeZones.ts"

/** Local time of day, such as 09:30. */
export const ClockTime = Schema.String.check(
  Schema.isPattern(/^(?:[01]\d|2[0-3]):[0-5]\d$/u, { message: "Expected a clock time such as 09:30" })
)
export type ClockTime = typeof ClockTime.Type

/** Weekdays, Monday first. */
export const weekdayNames = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const

export const Weekday = Schema.Literals(weekdayNames)
export type Weekday = typeof Weekday.Type

const haveDifferentTimes = Schema.makeFilter(
  ({ from, to }: { readonly from: string; readonly to: string }) =>
    from !== to || "Expected two different times: from and to are the same"
)

/** Send hours on some days. A window that ends before it starts continues past midnight and belongs to the day of its start. */
export const SendWindow = Schema.Struct({
  days: Schema.Array(Weekday).check(
    Schema.isBetweenLength(1, 7, { message: "Expected 1 to 7 days" }),
    Schema.isUnique({ message: "Expected each day once" })
  ),
  from: ClockTime,
  to: ClockTime
})
  .check(haveDifferentTimes)
  .annotate({ identifier: "SendWindow" })
export type SendWindow = typeof SendWindow.Type

/** Clock that applies. */
export const ScheduleZone = Schema.Literals(["organization", "contact"])
export type ScheduleZone = typeof ScheduleZone.Type

/** Send time of a broadcast: an instant, or a local time of the organization or of each contact. */
export const Schedule = Schema.Struct({
  at: Schema.optionalKey(Timestamp),
  localAt: Schema.optionalKey(LocalTime),
  zone: Schema.optionalKey(ScheduleZone).annotateKey({
    description: "Time zone of `localAt` and `window`. Default: `organization`."
  }),
  passed: Schema.optionalKey(Schema.Literals(["send", "skip"])).annotateKey({
    description: "Handling of contacts whose local time has passed at the start. Default: `send`."
  }),
  notAfter: Schema.optionalKey(Timestamp).annotateKey({
    description: "Latest start of the broadcast. Default: 24 hours after its start time."
  }),
  endBy: Schema.optionalKey(Timestamp).annotateKey({
    description: "End of sending. Default: 30 days after the start."
  }),
  window: Schema.optionalKey(Schema.NullOr(SendWindow))
}).annotate({ identifier: "BroadcastSchedule" })
export type Schedule = typeof Schedule.Type

type ScheduledTime = Pick<Schedule, "at" | "localAt" | "zone">

/** Maximum offset from UTC in the world, in hours, in both directions. */
const maxUtcOffset = 14
const minUtcOffset = -12

/** A start this late does not miss the first due contacts. */
const startTolerance = "5 minutes"

/** Returns the start of a broadcast; `null` without a time, for an immediate start. */
export const scheduledStart = (
  { at, localAt, zone }: ScheduledTime,
  organizationZone: DateTime.TimeZone
): DateTime.Utc | null => {
  if (localAt === undefined) return at ?? null
  return zone === "contact" ? toInstantAtOffset(localAt, maxUtcOffset) : toInstant(localAt, organizationZone)
}

/** Returns the due time of the last contacts. */
export const lastContactDueAt = (moment: ScheduledTime, organizationZone: DateTime.TimeZone): DateTime.Utc | null =>
  moment.localAt !== undefined && moment.zone === "contact"
    ? toInstantAtOffset(moment.localAt, minUtcOffset)
    : scheduledStart(moment, organizationZone)

/**
 * Returns the due time of a contact; `null` for the start of the broadcast. With several possible zones, the contact is due when all of them have
 * reached the local time. A message can be late in one zone, but never early.
 */
export const contactDueAt = (
  moment: ScheduledTime,
  contactZones: ReadonlyArray<DateTime.TimeZone>,
  organizationZone: DateTime.TimeZone
): DateTime.Utc | null => {
  const { localAt, zone } = moment
  if (localAt === undefined || zone !== "contact") return scheduledStart(moment, organizationZone)
  const [first = organizationZone, ...others] = contactZones
  return others.map((each) => toInstant(localAt, each)).reduce(DateTime.max, toInstant(localAt, first))
}

/** Whether the due time of a contact had passed at the start, which `passed: skip` excludes. */
export const hasMissedStart = (due: DateTime.Utc, startedAt: DateTime.Utc): boolean =>
  DateTime.isLessThan(DateTime.addDuration(due, startTolerance), startedAt)

/** Returns the latest start of the broadcast. */
export const latestStart = ({ notAfter }: Schedule, start: DateTime.Utc): DateTime.Utc =>
  notAfter ?? DateTime.add(start, { hours: 24 })

/** Returns the end of the broadcast, at which remaining recipients stay unsent. */
export const latestEnd = ({ endBy }: Schedule, start: DateTime.Utc): DateTime.Utc =>
  endBy ?? DateTime.add(start, { days: 30 })

interface ScheduleContext {
  readonly now: DateTime.Utc
  readonly organizationZone: DateTime.TimeZone
  /** Whether the broadcast starts immediately, so its schedule has no time. */
  readonly startsNow: boolean
}

const maxLeadTime = { days: 365 }

const earlier = DateTime.isLessThan
const notLater = DateTime.isLessThanOrEqualTo

const validateStartTime = (
  schedule: Schedule,
  { now, organizationZone, startsNow }: ScheduleContext
): ReadonlyArray<ValidationIssue> => {
  const { at, localAt } = schedule
  const start = scheduledStart(schedule, organizationZone)
  const last = lastContactDueAt(schedule, organizationZone)
  const pointer = at === undefined ? "/localAt" : "/at"
  if (start === null || last === null) {
    return startsNow ? [] : [{ pointer: "", message: "Expected a time to send at: at, or localAt" }]
  }
  if (startsNow) return [{ pointer, message: "Expected no time: the broadcast starts now" }]
  if (at !== undefined && localAt !== undefined) {
    return [{ pointer: "/localAt", message: "Expected either at or localAt, not both" }]
  }
  if (earlier(last, now)) return [{ pointer, message: "Expected a time that has not passed" }]
  if (schedule.notAfter === undefined && earlier(latestStart(schedule, start), now)) {
    const message = "Expected a local time that began less than 24 hours ago in the first time zone, or notAfter"
    return [{ pointer, message }]
  }
  return earlier(DateTime.add(now, maxLeadTime), start) ? [{ pointer, message: "Expected a time within 365 days" }] : []
}

/** Returns the schedule errors that its schema does not detect, with pointers. */
export const validateSchedule = (schedule: Schedule, surroundings: ScheduleContext): ReadonlyArray<ValidationIssue> => {
  const { endBy, notAfter } = schedule
  const { now, organizationZone } = surroundings
  const planned = scheduledStart(schedule, organizationZone) ?? now
  // A broadcast whose first contacts were due in the past starts immediately.
  const start = DateTime.max(planned, now)
  const end = endBy ?? null
  return [
    ...validateStartTime(schedule, surroundings),
    ...(notAfter !== undefined && earlier(notAfter, start)
      ? [{ pointer: "/notAfter", message: "Expected a time that is not before the start" }]
      : []),
    ...(end !== null && notLater(end, start) ? [{ pointer: "/endBy", message: "Expected a time after the start" }] : [])
  ]
}
