import { ScheduleStatus, Timestamp } from "@parley/domain"
import { DateTime, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { printCard, printOne, type View } from "../console/print.ts"
import { typedFlag } from "../console/typed.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { listOf } from "../tenant/listOf.ts"
import { listView, schedule, view } from "./schedule.ts"

/** Lists schedules. */
export const listCommand = listOf(listView, ({ schedules }, query) => schedules.list({ query })).pipe(
  Command.withDescription("List the schedules")
)

/** Shows a schedule. */
export const showCommand = Command.make(
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

/** Tells whether a schedule is open. */
export const statusCommand = Command.make(
  "status",
  {
    org: Flags.org,
    schedule,
    at: typedFlag("at", Timestamp).pipe(
      Flag.withMetavar("time"),
      Flag.withDescription("As of when, such as 2026-12-24T12:00:00Z (now)"),
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
  Command.withDescription("Tell whether a schedule is open, and when that changes"),
  Command.withExamples([{ command: "parley schedules status --org acme 0198... --at 2026-12-24T12:00:00Z" }])
)
