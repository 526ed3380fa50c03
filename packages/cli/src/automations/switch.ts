import { Effect } from "effect"
import { Command } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { printOne } from "../console/print.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { automation, view } from "./automation.ts"

const flags = { org: Flags.org, automation, json: Flags.json, quiet: Flags.quiet }

/** Switches an automation on. */
export const enableCommand = Command.make(
  "enable",
  flags,
  Effect.fn(function* ({ automation, json, org, quiet }) {
    yield* inTenant(org, ({ automations }) =>
      Effect.flatMap(automations.enable({ params: { id: automation }, headers: {} }), (changed) =>
        printOne(view, { json, quiet }, changed)
      )
    )
  })
).pipe(Command.withDescription("Switch an automation on, from the next event on"))

/** Switches an automation off. */
export const disableCommand = Command.make(
  "disable",
  flags,
  Effect.fn(function* ({ automation, json, org, quiet }) {
    yield* inTenant(org, ({ automations }) =>
      Effect.flatMap(automations.disable({ params: { id: automation }, headers: {} }), (changed) =>
        printOne(view, { json, quiet }, changed)
      )
    )
  })
).pipe(Command.withDescription("Switch an automation off: what it has begun is cut"))
