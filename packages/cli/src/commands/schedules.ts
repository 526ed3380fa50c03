import { Timestamp } from "@parley/domain/kernel"
import { Timezone } from "@parley/domain/platform"
import {
  HolidayInputs,
  NewSchedule,
  ScheduleId,
  ScheduleStatus,
  WeekInput,
  WeeklySchedule
} from "@parley/domain/automation"
import { WrongUsage } from "@parley/service/configuration"
import { Console, DateTime, Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { printCard, printOne, type View } from "../console/print.ts"
import { confirm } from "../console/prompts.ts"
import { jsonFlag, typedArgument, typedFlag } from "../console/typed.ts"
import { inTenant, listOf } from "../tenant/inTenant.ts"

const schedule = typedArgument("schedule", ScheduleId).pipe(Argument.withDescription("Id of the schedule"))

const name = typedFlag("name", NewSchedule.fields.name).pipe(Flag.withDescription("Name"))

const weekly = jsonFlag("weekly", WeekInput).pipe(
  Flag.withDescription('Hours of the week, such as {"mon":[["09:00","18:00"]]}; other days are closed')
)

/** Flags of a schedule, except its name and its week. */
const saidFlags = {
  timezone: typedFlag("timezone", Timezone).pipe(
    Flag.withMetavar("zone"),
    Flag.withDescription("Time zone, such as Europe/Berlin (the one of the organization)"),
    Flag.optional
  ),
  holidays: jsonFlag("holidays", HolidayInputs).pipe(
    Flag.withDescription('All holidays, for example [{"date":"2026-12-25","yearly":true,"name":"Christmas"}]'),
    Flag.optional
  )
}

/** Values of the flags of a schedule. Absent flags are omitted. */
interface Said {
  readonly timezone: Option.Option<string>
  readonly holidays: Option.Option<typeof HolidayInputs.Type>
}

/** Converts the flags, except the name and the week. */
const choicesOf = ({ holidays, timezone }: Said) => ({
  ...(Option.isSome(timezone) && { timezone: timezone.value }),
  ...(Option.isSome(holidays) && { holidays: holidays.value })
})

const hoursOf = (spans: ReadonlyArray<ReadonlyArray<string>>) => spans.map((span) => span.join("-")).join(" ")

const listView: View<WeeklySchedule> = {
  schema: WeeklySchedule,
  none: "This organization has no schedule.",
  columns: [
    { heading: "ID", of: ({ id }) => id },
    { heading: "NAME", of: (each) => each.name },
    { heading: "TIMEZONE", of: ({ timezone }) => timezone ?? "" },
    { heading: "HOLIDAYS", of: ({ holidays }) => String(holidays.length), align: "right" }
  ]
}

const view: View<WeeklySchedule> = {
  schema: WeeklySchedule,
  none: "The schedule does not exist.",
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

const listCommand = listOf(listView, ({ schedules }, query) => schedules.list({ query })).pipe(
  Command.withDescription("List the schedules")
)

const showCommand = Command.make(
  "show",
  { org: Flags.org, schedule, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ json, org, quiet, schedule }) {
    yield* inTenant(org, ({ schedules }) =>
      Effect.flatMap(schedules.get({ params: { id: schedule } }), (found) => printOne(view, { json, quiet }, found))
    )
  })
).pipe(Command.withDescription("Show a schedule"))

const statusView: Pick<View<ScheduleStatus>, "columns" | "schema"> = {
  schema: ScheduleStatus,
  columns: [
    { heading: "STATUS", of: ({ open }) => (open ? "open" : "closed") },
    {
      heading: "NEXT CHANGE",
      of: ({ nextChangeAt }) => (nextChangeAt === null ? "" : DateTime.formatIso(nextChangeAt))
    }
  ]
}

const statusCommand = Command.make(
  "status",
  {
    org: Flags.org,
    schedule,
    at: typedFlag("at", Timestamp).pipe(
      Flag.withMetavar("time"),
      Flag.withDescription("Time to check, such as 2026-12-24T12:00:00Z (now)"),
      Flag.optional
    ),
    json: Flags.json
  },
  Effect.fn(function* ({ at, json, org, schedule }) {
    const query = Option.isSome(at) ? { at: at.value } : {}
    yield* inTenant(org, ({ schedules }) =>
      Effect.flatMap(schedules.status({ params: { id: schedule }, query }), (status) =>
        printCard(statusView, json, status)
      )
    )
  })
).pipe(
  Command.withDescription("Show whether a schedule is open, and when that changes"),
  Command.withExamples([{ command: "parley schedules status --org acme 0198... --at 2026-12-24T12:00:00Z" }])
)

const createCommand = Command.make(
  "create",
  { org: Flags.org, name, weekly, ...saidFlags, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ json, name, org, quiet, weekly, ...input }) {
    const payload = { name, weekly, ...choicesOf(input) }
    yield* inTenant(org, ({ schedules }) =>
      Effect.flatMap(schedules.create({ payload }), (made) => printOne(view, { json, quiet }, made))
    )
  })
).pipe(
  Command.withDescription("Create a schedule"),
  Command.withExamples([
    { command: `parley schedules create --org acme --name Office --weekly '{"mon":[["09:00","18:00"]]}'` }
  ])
)

const updateCommand = Command.make(
  "update",
  {
    org: Flags.org,
    schedule,
    name: Flag.optional(name),
    weekly: Flag.optional(weekly),
    ...saidFlags,
    json: Flags.json,
    quiet: Flags.quiet
  },
  Effect.fn(function* ({ json, name, org, quiet, schedule, weekly, ...input }) {
    const payload = {
      ...(Option.isSome(name) && { name: name.value }),
      ...(Option.isSome(weekly) && { weekly: weekly.value }),
      ...choicesOf(input)
    }
    if (Object.keys(payload).length === 0) {
      return yield* new WrongUsage({ message: "Specify a change: --name, --weekly, --timezone or --holidays." })
    }
    yield* inTenant(org, ({ schedules }) =>
      Effect.flatMap(schedules.update({ params: { id: schedule }, headers: {}, payload }), (changed) =>
        printOne(view, { json, quiet }, changed)
      )
    )
  })
).pipe(Command.withDescription("Change a schedule. --weekly and --holidays replace all hours and holidays"))

const deleteCommand = Command.make(
  "delete",
  { org: Flags.org, schedule, yes: Flags.yes },
  Effect.fn(function* ({ org, schedule, yes }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* (tenant) {
        yield* confirm(`Delete the schedule ${schedule} of ${tenant.name}?`, yes)
        yield* tenant.schedules.delete({ params: { id: schedule }, headers: {} })
        yield* Console.error(`The schedule ${schedule} is deleted.`)
      })
    )
  })
).pipe(Command.withDescription("Delete a schedule that no automation or workflow uses"))

export const schedules = Command.make("schedules").pipe(
  Command.withSubcommands([listCommand, showCommand, createCommand, updateCommand, deleteCommand, statusCommand])
)
