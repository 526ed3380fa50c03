import type { Schema } from "effect"
import { daysOfWeek } from "../../campaigns/index.ts"
import type { Holiday, HolidayInput } from "./Holiday.ts"
import type { Week, WeeklySchedule, WeekInput } from "./WeeklySchedule.ts"

/** The week with all of its days. */
export const weekOf = (input: WeekInput): Week => {
  const { fri = [], mon = [], sat = [], sun = [], thu = [], tue = [], wed = [] } = input
  return { mon, tue, wed, thu, fri, sat, sun }
}

/** The holidays with all that they do not say, in the order of their dates. */
export const holidaysOf = (inputs: ReadonlyArray<HolidayInput>): ReadonlyArray<Holiday> =>
  inputs
    .map(({ date, name, spans = [], yearly = false }) => ({ date, yearly, name, spans }))
    .toSorted((one, other) => (one.date < other.date ? -1 : Number(one.date > other.date)))

/** What of a schedule goes into the trail. */
export const audited = ({ holidays, name, timezone, weekly }: WeeklySchedule): Record<string, Schema.Json> => ({
  name,
  timezone,
  weekly: Object.fromEntries(daysOfWeek.map((day) => [day, weekly[day].map((span) => [...span])])),
  holidays: holidays.map((holiday) => ({ ...holiday, spans: holiday.spans.map((span) => [...span]) }))
})
