import type { FieldDescriptions } from "./FieldDescriptions.ts"

/** Descriptions of the fields of schedules and availabilities, by component, operation or event, and path. */
export const schedulesFields: FieldDescriptions = {
  Holiday: {
    date: "Date of the holiday, for example `2026-12-25`.",
    name: "Name of the holiday.",
    spans: "Opening times as pairs of local times, at most 6; empty if closed all day."
  },
  HolidayInput: {
    yearly: "Whether the day applies in every year. Default: false.",
    spans: "Opening times as pairs of local times, at most 6. Default: closed all day."
  },
  MemberAvailability: {
    status:
      "`available` members get conversations automatically; `away` members keep the conversations that they have. `available` before the first change."
  },
  MemberAvailabilityInput: {
    capacity: "Maximum number of open conversations for automatic assignment; an absent capacity stays unchanged."
  },
  Schedule: {
    name: "Name of the schedule.",
    weekly: "Weekly opening times.",
    holidays: "Days with other opening times than in the week, by date."
  },
  NewSchedule: {
    timezone: "Time zone as an IANA name; null: the time zone of the organization. Default: null.",
    holidays: "Days with other opening times than in the week, at most 200. Default: none."
  },
  ScheduleInUseProblem: {
    usedBy: "Resources that use the schedule.",
    "usedBy.kind": "Kind of the resource: `automation` or `workflow`.",
    "usedBy.id": "Id of the automation or workflow."
  },
  ScheduleStatus: { open: "Whether the schedule is open at the time." },
  Week: {
    mon: "Opening times on Monday as pairs of local times, `00:00` to `24:00`, at most 6; empty if closed.",
    tue: "Opening times on Tuesday as pairs of local times, `00:00` to `24:00`, at most 6; empty if closed.",
    wed: "Opening times on Wednesday as pairs of local times, `00:00` to `24:00`, at most 6; empty if closed.",
    thu: "Opening times on Thursday as pairs of local times, `00:00` to `24:00`, at most 6; empty if closed.",
    fri: "Opening times on Friday as pairs of local times, `00:00` to `24:00`, at most 6; empty if closed.",
    sat: "Opening times on Saturday as pairs of local times, `00:00` to `24:00`, at most 6; empty if closed.",
    sun: "Opening times on Sunday as pairs of local times, `00:00` to `24:00`, at most 6; empty if closed."
  },
  WeekInput: {
    mon: "Opening times on Monday as pairs of local times, `00:00` to `24:00`, at most 6. Default: closed.",
    tue: "Opening times on Tuesday as pairs of local times, `00:00` to `24:00`, at most 6. Default: closed.",
    wed: "Opening times on Wednesday as pairs of local times, `00:00` to `24:00`, at most 6. Default: closed.",
    thu: "Opening times on Thursday as pairs of local times, `00:00` to `24:00`, at most 6. Default: closed.",
    fri: "Opening times on Friday as pairs of local times, `00:00` to `24:00`, at most 6. Default: closed.",
    sat: "Opening times on Saturday as pairs of local times, `00:00` to `24:00`, at most 6. Default: closed.",
    sun: "Opening times on Sunday as pairs of local times, `00:00` to `24:00`, at most 6. Default: closed."
  }
}
