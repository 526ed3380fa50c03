import { HolidayInputs, NewSchedule, ScheduleId, Timezone, WeekInput, WeeklySchedule } from "@parley/domain"
import { Option } from "effect"
import { Argument, Flag } from "effect/cli"
import { jsonFlag } from "../console/json.ts"
import type { View } from "../console/print.ts"
import { typedArgument, typedFlag } from "../console/typed.ts"

/** Which schedule is meant. */
export const schedule = typedArgument("schedule", ScheduleId).pipe(Argument.withDescription("The id of the schedule"))

/** What is said of the name, as it has to be. */
export const name = typedFlag("name", NewSchedule.fields.name).pipe(Flag.withDescription("What it is called"))

/** What is said of the hours of the week, as they have to be. */
export const weekly = jsonFlag("weekly", WeekInput).pipe(
  Flag.withDescription('The hours of the week, such as {"mon":[["09:00","18:00"]]}; it is closed on other days')
)

/** What is said of a schedule besides its name and its week. */
export const saidFlags = {
  timezone: typedFlag("timezone", Timezone).pipe(
    Flag.withMetavar("zone"),
    Flag.withDescription("The zone whose clocks it goes by, such as Europe/Berlin (that of the organization)"),
    Flag.optional
  ),
  holidays: jsonFlag("holidays", HolidayInputs).pipe(
    Flag.withDescription('All holidays, such as [{"date":"2026-12-25","yearly":true,"name":"Christmas"}]'),
    Flag.optional
  )
}

/** What a command line says of a schedule; what it does not say is left out. */
interface Said {
  readonly timezone: Option.Option<string>
  readonly holidays: Option.Option<typeof HolidayInputs.Type>
}

/** What flags say besides the name and the week. */
export const choicesOf = ({ holidays, timezone }: Said) => ({
  ...(Option.isSome(timezone) && { timezone: timezone.value }),
  ...(Option.isSome(holidays) && { holidays: holidays.value })
})

const hoursOf = (spans: ReadonlyArray<ReadonlyArray<string>>) => spans.map((span) => span.join("-")).join(" ")

/** How schedules are listed. */
export const listView: View<WeeklySchedule> = {
  schema: WeeklySchedule,
  none: "This organization has no schedule.",
  columns: [
    { heading: "ID", of: ({ id }) => id },
    { heading: "NAME", of: (each) => each.name },
    { heading: "TIMEZONE", of: ({ timezone }) => timezone ?? "" },
    { heading: "HOLIDAYS", of: ({ holidays }) => String(holidays.length), align: "right" }
  ]
}

/** How one is shown. */
export const view: View<WeeklySchedule> = {
  schema: WeeklySchedule,
  none: "There is no schedule.",
  columns: [
    ...listView.columns.slice(0, 3),
    { heading: "MON", of: ({ weekly: { mon } }) => hoursOf(mon) },
    { heading: "TUE", of: ({ weekly: { tue } }) => hoursOf(tue) },
    { heading: "WED", of: ({ weekly: { wed } }) => hoursOf(wed) },
    { heading: "THU", of: ({ weekly: { thu } }) => hoursOf(thu) },
    { heading: "FRI", of: ({ weekly: { fri } }) => hoursOf(fri) },
    { heading: "SAT", of: ({ weekly: { sat } }) => hoursOf(sat) },
    { heading: "SUN", of: ({ weekly: { sun } }) => hoursOf(sun) },
    {
      heading: "HOLIDAYS",
      of: ({ holidays }) =>
        holidays
          .map(({ date, name: called, spans, yearly }) =>
            [date, yearly ? "yearly" : "", called, spans.length === 0 ? "closed" : hoursOf(spans)]
              .filter((part) => part !== "")
              .join(" ")
          )
          .join(", ")
    },
    { heading: "VERSION", of: ({ version }) => String(version) }
  ]
}
