import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { confirm } from "../console/confirm.ts"
import * as Flags from "../console/flags.ts"
import { inTenant } from "../tenant/inTenant.ts"
import { plugin } from "./plugin.ts"

const force = Flag.Boolean("force").pipe(Flag.withDescription("Also where something uses it"), Flag.withDefault(false))

/** Uninstalls a plugin. */
export const uninstallCommand = Command.make(
  "uninstall",
  { org: Flags.org, plugin, force, yes: Flags.yes },
  Effect.fn(function* ({ force, org, plugin, yes }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* ({ name, plugins }) {
        yield* confirm(`Uninstall the plugin ${plugin} of ${name}, with its token and its settings?`, yes)
        yield* plugins.uninstall({ params: { id: plugin }, headers: {}, query: { force: force ? "true" : "false" } })
        yield* Console.error(`The plugin ${plugin} is uninstalled.`)
      })
    )
  })
).pipe(Command.withDescription("Uninstall a plugin: its tokens and secrets are destroyed"))
