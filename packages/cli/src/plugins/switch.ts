import { Effect } from "effect"
import { Command } from "effect/cli"
import * as Flags from "../console/flags.ts"
import { printOne } from "../console/print.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { plugin, suppliedView, view } from "./plugin.ts"

const flags = { org: Flags.org, plugin, json: Flags.json, quiet: Flags.quiet }

/** Has a plugin work again. */
export const enableCommand = Command.make(
  "enable",
  flags,
  Effect.fn(function* ({ json, org, plugin, quiet }) {
    yield* inTenant(org, ({ plugins }) =>
      Effect.flatMap(plugins.enable({ params: { id: plugin }, headers: {} }), (changed) =>
        printOne(suppliedView, { json, quiet }, changed)
      )
    )
  })
).pipe(Command.withDescription("Have a plugin work again, with a new token, from the next event on"))

/** Has a plugin do nothing. */
export const disableCommand = Command.make(
  "disable",
  flags,
  Effect.fn(function* ({ json, org, plugin, quiet }) {
    yield* inTenant(org, ({ plugins }) =>
      Effect.flatMap(plugins.disable({ params: { id: plugin }, headers: {} }), (changed) =>
        printOne(view, { json, quiet }, changed)
      )
    )
  })
).pipe(Command.withDescription("Have a plugin get nothing and do nothing: its tokens end"))
