import { WrongUsage } from "@parley/service/configuration"
import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { confirm } from "../console/confirm.ts"
import * as Flags from "../console/flags.ts"
import { printOne } from "../console/print.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { choicesOf, name, saidFlags, schedule, view, weekly } from "./schedule.ts"

/** Saves a new schedule. */
export const createCommand = Command.make(
  "create",
  { org: Flags.org, name, weekly, ...saidFlags, json: Flags.json, quiet: Flags.quiet },
  Effect.fn(function* ({ json, name, org, quiet, weekly, ...said }) {
    const payload = { name, weekly, ...choicesOf(said) }
    yield* inTenant(org, ({ schedules }) =>
      Effect.flatMap(schedules.create({ payload }), (made) => printOne(view, { json, quiet }, made))
    )
  })
).pipe(
  Command.withDescription("Save a new schedule"),
  Command.withExamples([
    { command: `parley schedules create --org acme --name Office --weekly '{"mon":[["09:00","18:00"]]}'` }
  ])
)

/** Changes a schedule. */
export const updateCommand = Command.make(
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
  Effect.fn(function* ({ json, name, org, quiet, schedule, weekly, ...said }) {
    const payload = {
      ...(Option.isSome(name) && { name: name.value }),
      ...(Option.isSome(weekly) && { weekly: weekly.value }),
      ...choicesOf(said)
    }
    if (Object.keys(payload).length === 0) {
      return yield* new WrongUsage({ message: "Say what to change: --name, --weekly, --timezone or --holidays." })
    }
    yield* inTenant(org, ({ schedules }) =>
      Effect.flatMap(schedules.update({ params: { id: schedule }, headers: {}, payload }), (changed) =>
        printOne(view, { json, quiet }, changed)
      )
    )
  })
).pipe(Command.withDescription("Change a schedule; the week and the holidays are each replaced as a whole"))

/** Deletes a schedule. */
export const deleteCommand = Command.make(
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
).pipe(Command.withDescription("Delete a schedule that no automation or workflow names"))
